"use client";

import { useActionState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { typedIn, UNSENT, type FormAction, type FormState } from "@/lib/client/form-state";
import { shownWord } from "@/lib/client/shown-word";
import { ACTION_WORDS } from "@/lib/core/change/action-words";

type Props = {
  record: FormAction;
  changeId: string;
  reportId: string;
  layers: readonly string[];
  checks: readonly string[];
  people: readonly { readonly id: string; readonly name: string }[];
  closed: boolean;
};

const LAYER = ["matches", "differs", "unknown", "not_applicable", "cannot_tell"];
const CHECK = ["pass", "fail", "unresolved", "waiting", "not_applicable", "cannot_tell"];
const ACCEPTED = ["accepted", "not_accepted", "open", "cannot_tell"];
const words = (codes: readonly string[]) => codes.map((code) => [code, shownWord(code)] as const);

/** Five fixed questions, answered by choosing (R4.5). */
export function ReadingForm({ record, changeId, reportId, layers, checks, people, closed }: Props) {
  const [state, send, sending] = useActionState(record, UNSENT);
  return (
    <form action={send} key={state.answers} className="panel pad actform reading">
      <input type="hidden" name="change" value={changeId} />
      <input type="hidden" name="on" value={reportId} />
      <fieldset>
        <legend>1. What does each layer say, compared with the target?</legend>
        {layers.map((layer) => (
          <Choose key={layer} name={`layer/${layer}`} label={shownWord(layer)} rows={words(LAYER)} state={state} />
        ))}
      </fieldset>
      <fieldset>
        <legend>2. What does each check say?</legend>
        {checks.map((check) => (
          <Choose key={check} name={`check/${check}`} label={check} rows={words(CHECK)} state={state} />
        ))}
        {checks.length === 0 && <p className="muted">This record has no checks.</p>}
      </fieldset>
      <fieldset>
        <legend>3. Is the canary accepted on the new version?</legend>
        <Choose name="acceptedOn" label="Accepted" rows={words(ACCEPTED)} state={state} />
      </fieldset>
      <fieldset>
        <legend>4. What is allowed next?</legend>
        <Choose
          name="nextAction"
          label="Next"
          rows={[
            ...Object.entries(ACTION_WORDS),
            ["worker", "nothing by a person: the worker goes on"],
            ["nobody", "nothing at all"],
            ["cannot_tell", "cannot tell"],
          ]}
          state={state}
        />
      </fieldset>
      <fieldset>
        <legend>5. Who decides whether to continue?</legend>
        <Choose
          name="decides"
          label="Decides"
          rows={[...people.map((one) => [one.id, one.name] as const), ["cannot_tell", "cannot tell"]]}
          state={state}
        />
      </fieldset>
      <label className="field wide">
        <span>Comment</span>
        <textarea className="in" name="comment" maxLength={4_000} defaultValue={typedIn(state, "comment")} />
      </label>
      <FormAnswer state={state} />
      <div className="send">
        <button className="btn primary" disabled={sending} aria-disabled={closed ? true : undefined}>
          {sending ? "Recording …" : "Record the reading"}
        </button>
        <span className="soft">It cannot be changed afterwards; a difference becomes a work item.</span>
      </div>
    </form>
  );
}

type Choice = { name: string; label: string; rows: readonly (readonly [string, string])[]; state: FormState };

function Choose({ name, label, rows, state }: Choice) {
  return (
    <label className="field">
      <span>{label}</span>
      <select className="in" name={name} required defaultValue={typedIn(state, name) ?? ""}>
        <option value="">choose …</option>
        {rows.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
