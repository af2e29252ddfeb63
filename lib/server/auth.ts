import { type NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";

import { loadEnv, type Env } from "@/lib/env";
import { paths } from "@/lib/client/paths";

import { DEMO_PEOPLE } from "./demo-people";
import { byEmail, byInitials, byPassword } from "./sign-in";
import { signInAttempts } from "./sign-in-attempts";
import { wired } from "./wired";

const attempts = signInAttempts();

/** How one signs in here: local accounts, demo people in the demo, an OpenID provider where one is configured. */
export async function authOptions(): Promise<NextAuthOptions> {
  const env = await loadEnv();
  return {
    secret: env.authSecret,
    session: { strategy: "jwt", maxAge: 12 * 3600 },
    pages: { signIn: paths.signIn(), error: paths.signIn() },
    providers: [localAccounts(), ...(env.demo ? [demoPeople()] : []), ...openId(env)],
    callbacks: {
      signIn: async ({ account, profile }) => account?.provider !== "oidc" || (await byEmail(await people(), profile ?? {})) !== null,
      jwt: async ({ token, user, account, profile }) => {
        if (account === null || account === undefined) return token;
        const person = account.provider === "oidc" ? await byEmail(await people(), profile ?? {}) : user;
        return { personId: person?.id, signedInAtMs: Date.now() };
      },
      session: ({ session, token }) => ({ expires: session.expires, personId: token.personId, signedInAtMs: token.signedInAtMs }),
    },
    logger: { error: (code, fault) => void report(code, fault), warn: () => undefined, debug: () => undefined },
  };
}

const people = async () => (await wired()).deps.store;

async function report(code: string, fault: unknown): Promise<void> {
  const { deps } = await wired();
  deps.log.error({ code, cause: fault instanceof Error ? fault.message : "no further word" }, "sign-in failed");
}

function localAccounts() {
  return CredentialsProvider({
    id: "local",
    name: "Local account",
    credentials: { email: {}, password: {} },
    authorize: async (told) => asUser(await byPassword(await people(), attempts, told, Date.now())),
  });
}

function demoPeople() {
  return CredentialsProvider({
    id: "demo",
    name: "Demo people",
    credentials: { id: {} },
    authorize: async (told) => asUser(await byInitials(await people(), told, DEMO_PEOPLE)),
  });
}

const asUser = (person: { readonly id: string; readonly name: string } | null): { id: string; name: string } | null =>
  person === null ? null : { id: person.id, name: person.name };

function openId({ config, secret }: Env): NextAuthOptions["providers"] {
  const oidc = config.auth.oidc;
  if (oidc === undefined) return [];
  return [
    {
      id: "oidc",
      name: oidc.name,
      type: "oauth",
      wellKnown: `${oidc.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      clientId: oidc.clientId,
      clientSecret: secret(oidc.clientSecret),
      authorization: { params: { scope: "openid email profile" } },
      profile: (profile: { sub: string; name?: string }) => ({ id: profile.sub, name: profile.name ?? null }),
    },
  ];
}
