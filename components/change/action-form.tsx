"use client";

import { Modal } from "@mantine/core";
import { useActionState, useState, type ReactNode } from "react";

import { formOf } from "@/lib/client/action-forms";
import { typedIn, UNSENT, type FormAction } from "@/lib/client/form-state";
import { type FormChoices } from "@/lib/client/form-choices";
import { type Thing } from "@/lib/client/what-happens";

import { ActionFields } from "./action-fields";

type Props = {
  act: FormAction;
  changeId: string;
  action: string;
  /** What it may be done to now. */ things: readonly Thing[];
  choices: FormChoices;
  primary: boolean;
  /** The row beside its button. */ children: ReactNode;
};

/**
 * A permitted action: its row, which unfolds into its own small form, or opens a dialog where nodes are touched or nothing leads back. Refusals stand
 * beside it in the API's words, and what was typed stays.
 */
export function ActionForm({ act, changeId, action, things, choices, primary, children }: Props) {
  const [state, send, sending] = useActionState(act, UNSENT);
  const [open, setOpen] = useState(false);
  const [answered, setAnswered] = useState(0);
  if (state.answers !== answered) {
    setAnswered(state.answers);
    if (state.is === "done") setOpen(false);
  }
  const spec = formOf(action);
  if (spec === null) return null;
  const fields = <ActionFields {...{ changeId, action, spec, state, send, sending, things, choices }} chosen={typedIn(state, "on")} />;
  if (spec.touches !== true && spec.typed !== true) {
    return (
      <details className="fold" open={state.is === "refused" ? true : undefined}>
        <summary>
          {children}
          <span className="do">
            <span className={primary ? "btn primary" : "btn"}>{spec.button}…</span>
          </span>
        </summary>
        {fields}
      </details>
    );
  }
  return (
    <div className="rowlike">
      {children}
      <span className="do">
        <button type="button" className={primary ? "btn primary" : spec.typed ? "btn danger" : "btn"} onClick={() => setOpen(true)}>
          {spec.button}…
        </button>
      </span>
      <Modal opened={open} onClose={() => setOpen(false)} title={spec.label} size={560} transitionProps={{ duration: 0 }}>
        {fields}
      </Modal>
    </div>
  );
}
