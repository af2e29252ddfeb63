"use client";

import { useActionState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { UNSENT, type FormAction } from "@/lib/client/form-state";

/** Asks every system of a cluster now: version, and which reads are allowed. */
export function ConnectionTest({ act, clusterId }: { act: FormAction; clusterId: string }) {
  const [state, send, asking] = useActionState(act, UNSENT);
  return (
    <form action={send} className="stack">
      <input type="hidden" name="cluster" value={clusterId} />
      <div className="send">
        <button className="btn" disabled={asking} aria-label={`Test the connections of ${clusterId}`}>
          {asking ? "Asking …" : "Test connection"}
        </button>
        <span className="soft">asks every system now and changes nothing</span>
      </div>
      <FormAnswer state={state} />
    </form>
  );
}
