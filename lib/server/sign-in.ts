import { type PersonView } from "@/lib/ports/rows";
import { type Store } from "@/lib/ports/store";

import { verifyPassword } from "./password";
import { type SignInAttempts } from "./sign-in-attempts";

type People = Pick<Store, "person" | "people" | "passwordOf">;
type Told = Readonly<Record<string, unknown>> | undefined;

/** Who is behind an email and a password, or null. A wrong password, an unknown person and a closed account look alike. */
export async function byPassword(store: People, attempts: SignInAttempts, told: Told, nowMs: number): Promise<PersonView | null> {
  const { email, password } = told ?? {};
  if (typeof email !== "string" || typeof password !== "string" || email.length > 253) return null;
  const account = email.trim().toLowerCase();
  if (!attempts.mayTry(account, nowMs)) return null;
  const found = await store.passwordOf(account);
  const fits = await verifyPassword(password, found?.hash ?? null);
  if (!fits || found === null || found.person.disabled) {
    attempts.failed(account, nowMs);
    return null;
  }
  attempts.succeeded(account);
  return found.person;
}

/** A demo person by initials; the caller made sure that this is the demo. */
export async function byInitials(store: People, told: Told, known: readonly { readonly id: string }[]): Promise<PersonView | null> {
  const id = known.find((person) => person.id === told?.id)?.id;
  const person = id === undefined ? null : await store.person(id);
  return person?.disabled === false ? person : null;
}

/** The person whom an OpenID provider vouches for, by confirmed email. Nobody is added by signing in. */
export async function byEmail(
  store: People,
  profile: { readonly email?: unknown; readonly email_verified?: unknown },
): Promise<PersonView | null> {
  if (typeof profile.email !== "string" || profile.email_verified === false) return null;
  const email = profile.email.toLowerCase();
  const person = (await store.people()).find((one) => one.email.toLowerCase() === email);
  return person?.disabled === false ? person : null;
}

/** Sessions end when the person is disabled or all their sessions were ended after they signed in. */
export function isSessionGood(person: PersonView | null, signedInAtMs: unknown): person is PersonView {
  return person !== null && !person.disabled && typeof signedInAtMs === "number" && signedInAtMs >= person.sessionsAfter.getTime();
}
