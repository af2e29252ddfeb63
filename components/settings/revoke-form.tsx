"use client";

import { useActionState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { UNSENT, type FormAction } from "@/lib/client/form-state";

/** Ends one token, at once and for good. */
export function RevokeForm({ act, id, name }: { act: FormAction; id: string; name: string }) {
  const [state, send, sending] = useActionState(act, UNSENT);
  return (
    <form action={send}>
      <input type="hidden" name="token" value={id} />
      <button className="btn" disabled={sending} aria-label={`Revoke ${name}`}>
        {sending ? "Revoking …" : "Revoke"}
      </button>
      <FormAnswer state={state} />
    </form>
  );
}
