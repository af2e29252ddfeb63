"use client";

import { useActionState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { typedIn, UNSENT, type FormAction } from "@/lib/client/form-state";

type Props = {
  act: FormAction;
  clusterId: string;
  action: "stop-all" | "lift-stop";
  changes: number;
  /** Why not this person; null: they may. */ closed: string | null;
};

/** Stops every change of a cluster at once, or lets them go on. */
export function StopForm({ act, clusterId, action, changes, closed }: Props) {
  const [state, send, sending] = useActionState(act, UNSENT);
  const label = action === "stop-all" ? "Stop all work" : "Lift the stop";
  return (
    <details className="fold own" open={state.is === "refused" ? true : undefined}>
      <summary>
        <span className={action === "stop-all" ? "btn danger" : "btn"}>{label}…</span>{" "}
        {closed !== null && <span className="soft">Closed for you: {closed}</span>}
      </summary>
      <form action={send} key={state.answers} className="actform">
        <input type="hidden" name="cluster" value={clusterId} />
        <input type="hidden" name="action" value={action} />
        <p className="happens">
          {action === "stop-all"
            ? `${changes === 0 ? "No change is open here; none can begin anything" : `${changes} open ${changes === 1 ? "change begins" : "changes begin"} nothing more`} until an approver lifts it. What is under way on a node is finished and judged.`
            : "Changes of this cluster go on from where they stand."}
        </p>
        <label className="field wide">
          <span>Reason</span>
          <textarea className="in" name="reason" required rows={2} maxLength={2_000} defaultValue={typedIn(state, "reason")} />
        </label>
        <label className="field">
          <span>Type {clusterId} to confirm</span>
          <input className="in mono" name="confirm" required autoComplete="off" placeholder={clusterId} />
        </label>
        <FormAnswer state={state} />
        <div className="send">
          <button className={action === "stop-all" ? "btn danger" : "btn primary"} disabled={sending}>
            {sending ? "Sending …" : `${label} on ${clusterId}`}
          </button>
        </div>
      </form>
    </details>
  );
}
