import type { Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { PersonView } from "@/lib/ports/rows";
import type { Store } from "@/lib/ports/store";
import type { PrismaClient } from "@/prisma/generated/client";
import { bytesOf } from "./stored-text";

type People = Pick<Store, "person" | "people" | "personByToken" | "passwordOf">;

export const people = (prisma: PrismaClient): People => ({
  person: async (id) => viewOf(await prisma.person.findUnique({ where: { id } })),

  people: async () => (await prisma.person.findMany({ orderBy: { id: "asc" } })).map((person) => view(person)),

  personByToken: async (hash, at) => {
    if (!/^[0-9a-f]{64}$/.test(hash)) return null;
    const token = await prisma.apiToken.findUnique({ where: { hash: new Uint8Array(bytesOf(hash)) }, include: { person: true } });
    if (token === null || token.revokedAt !== null || token.person.disabledAt !== null) return null;
    if (token.expiresAt !== null && token.expiresAt <= at) return null;
    // Once a minute is enough to know that it is in use, and spares a write per request.
    if (token.lastUsedAt === null || at.getTime() - token.lastUsedAt.getTime() > 60_000) {
      await prisma.apiToken.updateMany({ where: { id: token.id, revokedAt: null }, data: { lastUsedAt: at } });
    }
    return { person: view(token.person), scopes: token.scopes };
  },

  passwordOf: async (email) => {
    const person = await prisma.person.findUnique({ where: { email } });
    return person === null || person.passwordHash === null ? null : { person: view(person), hash: person.passwordHash };
  },
});

type PersonRow = { id: string; name: string; email: string; roles: Role[]; disabledAt: Date | null; sessionsAfter: Date };

const viewOf = (person: PersonRow | null): PersonView | null => (person === null ? null : view(person));
const view = (person: PersonRow): PersonView => ({
  id: person.id as PersonId,
  name: person.name,
  email: person.email,
  roles: person.roles,
  disabled: person.disabledAt !== null,
  sessionsAfter: person.sessionsAfter,
});
