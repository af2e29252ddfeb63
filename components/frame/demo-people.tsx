"use client";

import { IconArrowRight } from "@tabler/icons-react";
import { signIn } from "next-auth/react";
import { useState } from "react";

import { Initials } from "@/components/ui/initials";

import { SignInFailed } from "./sign-in-failed";

type Person = { readonly id: string; readonly title: string; readonly does: string };

/** One press signs in as a person of the demo. */
export function DemoPeople({ people, to }: { people: readonly Person[]; to: string }) {
  const [failed, setFailed] = useState<string | null>(null);
  async function enter(id: string): Promise<void> {
    setFailed(null);
    const answer = await signIn("demo", { id, redirect: false });
    if (answer?.ok && !answer.error) window.location.assign(to);
    else setFailed(id);
  }
  return (
    <>
      <ul className="panel ppl">
        {people.map(({ id, title, does }) => (
          <li key={id}>
            <button type="button" onClick={() => enter(id)}>
              <Initials name={id} />
              <b>{title}</b>
              <span className="soft">{does}</span>
              <IconArrowRight className="i" size={16} stroke={1.5} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {failed !== null && (
        <SignInFailed>{failed} could not be signed in. The record may be unreachable; see the foot of this page.</SignInFailed>
      )}
    </>
  );
}
