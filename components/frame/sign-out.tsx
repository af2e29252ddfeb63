"use client";

import { signOut } from "next-auth/react";

import { paths } from "@/lib/client/paths";

export function SignOut() {
  return (
    <button type="button" className="btn small" onClick={() => signOut({ callbackUrl: paths.signIn() })}>
      Sign out
    </button>
  );
}
