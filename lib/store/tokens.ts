import type { PersonId } from "@/lib/core/kernel/ids";
import type { Store } from "@/lib/ports/store";
import type { PrismaClient } from "@/prisma/generated/client";
import { appendAudit } from "./append-audit";
import { SITE_CHAIN } from "./changes";
import { row, transact, type Database } from "./database";
import { bytesOf } from "./stored-text";

/** Tokens of the API: made and revoked with a line in the site's chain, kept as a hash. */
export const tokens = ({ pool }: Database, prisma: PrismaClient): Pick<Store, "tokens" | "createToken" | "revokeToken"> => ({
  tokens: async (of) => {
    const found = await prisma.apiToken.findMany({
      where: of === null ? {} : { personId: of },
      orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    });
    return found.map(({ id, personId, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }) => ({
      id,
      personId: personId as PersonId,
      name,
      scopes,
      createdAt,
      expiresAt,
      lastUsedAt,
      revokedAt,
    }));
  },

  createToken: (token, hash, by) =>
    transact(pool, async (sql) => {
      const { id, personId, name, scopes, createdAt, expiresAt } = token;
      await sql.query(
        "insert into api_tokens (id, person_id, name, hash, scopes, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7)",
        [id, personId, name, bytesOf(hash), scopes, createdAt, expiresAt],
      );
      const facts = { token: id, person: personId, name, scopes, expiresAt: expiresAt?.toISOString() ?? null };
      await appendAudit(
        sql,
        { chain: SITE_CHAIN, at: createdAt, actor: by },
        [{ action: "token.created", targetId: null, because: "", facts }],
        new Set(),
      );
    }),

  revokeToken: (id, by, at) =>
    transact(pool, async (sql) => {
      const revoked = await row<{ person_id: string; name: string }>(
        sql,
        "update api_tokens set revoked_at = $2 where id = $1 and revoked_at is null returning person_id, name",
        [id, at],
      );
      if (revoked === null) return false;
      const facts = { token: id, person: revoked.person_id, name: revoked.name };
      await appendAudit(
        sql,
        { chain: SITE_CHAIN, at, actor: by },
        [{ action: "token.revoked", targetId: null, because: "", facts }],
        new Set(),
      );
      return true;
    }),
});
