import { getServerSession } from "next-auth";
import { redirect } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { type PersonView } from "@/lib/ports/rows";

import { authOptions } from "./auth";
import { isSessionGood } from "./sign-in";
import { wired } from "./wired";

/** A person who is signed in, and whether that still holds, asked again at any later time. */
export type Session = { readonly person: PersonView; readonly isGood: () => Promise<boolean> };

/** Who is signed in, with roles as the record has them at this moment; null for anonymous, disabled and ended sessions. */
export async function currentSession(): Promise<Session | null> {
  const session: unknown = await getServerSession(await authOptions());
  const { personId, signedInAtMs } = (session ?? {}) as { personId?: unknown; signedInAtMs?: unknown };
  if (typeof personId !== "string") return null;
  const { store } = (await wired()).deps;
  const person = await store.person(personId);
  return isSessionGood(person, signedInAtMs)
    ? { person, isGood: async () => isSessionGood(await store.person(personId), signedInAtMs) }
    : null;
}

/** The same, the person alone. */
export async function currentPerson(): Promise<PersonView | null> {
  return (await currentSession())?.person ?? null;
}

/** The same for pages and loaders: anonymous people are sent to the sign-in page and come back to `from` afterwards. */
export async function requirePerson(from?: string): Promise<PersonView> {
  return (await currentPerson()) ?? redirect(paths.signIn(from));
}
