"use client";

import { useActionState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { typedIn, UNSENT, type FormAction } from "@/lib/client/form-state";

/** Makes a token for oneself; what it is stands in the answer and nowhere else. */
export function TokenForm({ act }: { act: FormAction }) {
  const [state, send, sending] = useActionState(act, UNSENT);
  return (
    <form action={send} key={state.answers} className="panel pad actform">
      <label className="field">
        <span>What it is for</span>
        <input className="in" name="name" required maxLength={100} autoComplete="off" defaultValue={typedIn(state, "name")} />
      </label>
      <label className="field">
        <span>What it may do</span>
        <select className="in" name="scope" defaultValue={typedIn(state, "scope") ?? "read"}>
          <option value="read">read</option>
          <option value="write">read, and act with your roles</option>
        </select>
      </label>
      <label className="field">
        <span>Days until it ends</span>
        <input className="in num" name="days" type="number" required min={1} max={365} defaultValue={typedIn(state, "days") ?? "90"} />
      </label>
      <FormAnswer state={state} />
      <div className="send">
        <button className="btn primary" disabled={sending}>
          {sending ? "Making …" : "Make a token"}
        </button>
      </div>
    </form>
  );
}
