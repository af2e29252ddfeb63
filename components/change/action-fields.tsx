"use client";

import { useState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { type ActionFormSpec } from "@/lib/client/action-forms";
import { type FormChoices } from "@/lib/client/form-choices";
import { type FormState } from "@/lib/client/form-state";
import { type Happening, type Thing } from "@/lib/client/what-happens";

import { ActionField } from "./action-field";

/** Actions that bind to what was seen: another version of the record since then is a conflict. */
const BINDS_TO_VERSION = new Set(["edit-plan", "approve-plan"]);

type Props = {
  changeId: string;
  action: string;
  spec: ActionFormSpec;
  state: FormState;
  send: (form: FormData) => void;
  sending: boolean;
  things: readonly Thing[];
  choices: FormChoices;
  /** The thing that was chosen when it was last sent. */ chosen: string | undefined;
};

/** The form of one action: what it is done to, what happens then, its fields, and its button. */
export function ActionFields({ changeId, action, spec, state, send, sending, things, choices, chosen }: Props) {
  const [wanted, setWanted] = useState<string | null>(null);
  const thing = things.find((one) => one.on === (wanted ?? chosen)) ?? things[0];
  return (
    <form action={send} className="actform" key={state.answers}>
      <input type="hidden" name="change" value={changeId} />
      <input type="hidden" name="action" value={action} />
      {BINDS_TO_VERSION.has(action) && <input type="hidden" name="version" value={choices.version} />}
      {things.length === 1 && thing !== undefined && thing.on !== null && <input type="hidden" name="on" value={thing.on} />}
      {things.length > 1 && (
        <label className="field">
          <span>What</span>
          <select className="in" name="on" value={thing?.on ?? ""} onChange={(event) => setWanted(event.currentTarget.value)}>
            {things.map((one) => (
              <option key={one.on ?? ""} value={one.on ?? ""}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {thing !== undefined && thing.happens !== null && <Happens happens={thing.happens} jobs={choices.jobs} />}
      {spec.fields.map((field) => (
        <ActionField key={field.name} field={field} state={state} choices={choices} on={thing?.on ?? null} />
      ))}
      {spec.typed === true && (
        <label className="field">
          <span>Type {changeId} to confirm</span>
          <input className="in mono" name="confirm" required autoComplete="off" placeholder={changeId} />
        </label>
      )}
      <FormAnswer state={state} />
      <div className="send">
        <button className={spec.typed === true ? "btn danger" : "btn primary"} disabled={sending}>
          {sending
            ? "Sending …"
            : `${spec.button}${things.length === 1 && thing !== undefined && thing.on !== null ? ` ${thing.name}` : ""}`}
        </button>
      </div>
    </form>
  );
}

/** Which nodes, GPUs and jobs; what becomes of them and what is not touched. */
function Happens({ happens, jobs }: { happens: Happening; jobs: FormChoices["jobs"] }) {
  const running = happens.nodes.flatMap((node) => jobs[node] ?? []);
  return (
    <>
      <p className="happens">{happens.text}</p>
      {happens.nodes.length > 0 && (
        <dl className="kv">
          <dt>Nodes</dt>
          <dd className="mono">{happens.names}</dd>
          <dt>GPUs</dt>
          <dd>
            {happens.gpus} on {happens.nodes.length} {happens.nodes.length === 1 ? "node" : "nodes"}
          </dd>
          <dt>Jobs</dt>
          <dd>{running.length === 0 ? "none known on them" : running.join(", ")}</dd>
          <dt>Not touched</dt>
          <dd>{happens.others}</dd>
        </dl>
      )}
    </>
  );
}
