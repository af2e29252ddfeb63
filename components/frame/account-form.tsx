"use client";

import { signIn } from "next-auth/react";
import { useState, type FormEvent } from "react";

import { SignInFailed } from "./sign-in-failed";

type Props = { openIdName: string | null; to: string; /** Came back from the provider without being let in. */ refused: boolean };

/** OpenID where it is configured, and a local account. What was typed survives a refusal. */
export function AccountForm({ openIdName, to, refused }: Props) {
  const [state, setState] = useState<"idle" | "asking" | "refused">("idle");
  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setState("asking");
    const answer = await signIn("local", { email: form.get("email"), password: form.get("password"), redirect: false });
    if (answer?.ok && !answer.error) window.location.assign(to);
    else setState("refused");
  }
  return (
    <form className="panel pad acct" method="post" onSubmit={submit}>
      {openIdName !== null && (
        <>
          <button type="button" className="btn primary" onClick={() => signIn("oidc", { callbackUrl: to })}>
            Continue with {openIdName}
          </button>
          <span className="or">or a local account</span>
        </>
      )}
      <label className="field">
        <span>Email</span>
        <input className="in" type="email" name="email" autoComplete="username" required maxLength={253} />
      </label>
      <label className="field">
        <span>Password</span>
        <input className="in" type="password" name="password" autoComplete="current-password" required maxLength={1024} />
      </label>
      <button className="btn" disabled={state === "asking"}>
        {state === "asking" ? "Signing in …" : "Sign in"}
      </button>
      {state === "refused" && (
        <SignInFailed>
          This email and password do not fit an account, or it was tried too often. Wait 15 minutes or ask an admin.
        </SignInFailed>
      )}
      {refused && state === "idle" && (
        <SignInFailed>You were not let in: no active account has the email that was confirmed. Ask an admin.</SignInFailed>
      )}
    </form>
  );
}
