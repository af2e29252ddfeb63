"use client";

import { startTransition, useActionState, useEffect, useRef, useState } from "react";

import { PageHead } from "@/components/ui/page-head";
import { FormAnswer } from "@/components/ui/form-answer";
import { UNSENT, type FormAction, type FormState } from "@/lib/client/form-state";
import { lineOfPlace } from "@/lib/client/line-of-place";
import { paths } from "@/lib/client/paths";
import { minutesText } from "@/lib/core/kernel/duration-text";
import { type PlanPreview } from "@/lib/core/planner/preview";

import { PlanPreviewPanel } from "./plan-preview-panel";

type PlanState = { readonly form: FormState; readonly preview: PlanPreview | null };
type Props = {
  look: (before: PlanState, form: FormData) => Promise<PlanState>;
  create: FormAction;
  template: string;
  /** Why this person cannot make a change; null: they can. */ closed: string | null;
};

const AFTER_TYPING_MS = 900;

/** The plan as text on the left, what would come of it on the right; read again as it is typed, and never lost. */
export function PlanEditor({ look, create, template, closed }: Props) {
  const [yaml, setYaml] = useState(template);
  const [looked, send, looking] = useActionState(look, { form: UNSENT, preview: null });
  const [made, make, making] = useActionState(create, UNSENT);
  const [sent, setSent] = useState<string | null>(null);
  // The refusal of what was sent to be recorded counts until the text is another.
  const state = made.is === "refused" && sent === yaml ? { ...looked, form: made } : looked;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (form.current === null) return;
      const typed = new FormData(form.current);
      startTransition(() => send(typed));
    }, AFTER_TYPING_MS);
    return () => clearTimeout(timer);
  }, [yaml, send]);
  const wrong = new Map(state.form.places.flatMap((place) => (lineOfPlace(place) === null ? [] : [[lineOfPlace(place), place] as const])));
  const lines = yaml.split("\n").length;
  return (
    <>
      <PageHead
        before={
          <>
            <a href={paths.changes()}>Changes</a> <span className="muted">/</span>
          </>
        }
        title="New change"
        answer={answerOf(state)}
        then={thenOf(state, closed)}
      />
      <form ref={form} action={send} className="cols plan">
        <section className="sec">
          <div className="panel editor">
            <div className="bar2">
              <span className="mono">plan.yaml</span> <span>{lines} lines</span>
              <span className="grow" />
              <span aria-live="polite">
                {looking
                  ? "reading …"
                  : state.form.places.length > 0
                    ? `${state.form.places.length} faults`
                    : state.preview !== null
                      ? "read"
                      : ""}
              </span>
            </div>
            <div className="code">
              <div className="gutter" aria-hidden="true">
                {Array.from({ length: lines }, (_, i) => (
                  <span key={i} className={wrong.has(i + 1) ? "err" : undefined}>
                    {i + 1}
                  </span>
                ))}
              </div>
              <textarea
                name="yaml"
                aria-label="Plan"
                wrap="off"
                spellCheck={false}
                rows={lines + 1}
                value={yaml}
                aria-invalid={state.form.places.length > 0}
                onChange={(event) => setYaml(event.currentTarget.value)}
              />
            </div>
          </div>
          <div className="send">
            <button className="btn">Preview</button>
            {closed === null ? (
              <button className="btn primary" formAction={make} onClick={() => setSent(yaml)} disabled={making}>
                {making ? "Creating …" : "Create change"}
              </button>
            ) : (
              <button className="btn" type="button" aria-disabled="true">
                Create change
              </button>
            )}
            <span className="soft">{closed ?? "Creating records the plan; nothing is touched."}</span>
          </div>
        </section>
        <div className="stack">
          <FormAnswer state={state.form} />
          {state.preview !== null && <PlanPreviewPanel preview={state.preview} />}
        </div>
      </form>
    </>
  );
}

function answerOf({ form, preview }: PlanState): string {
  if (form.is === "refused") return form.because;
  if (preview === null) return "Write the plan; it is read as you type.";
  const { total } = preview.durations;
  return `${preview.batches.length} batches of at most ${preview.layout.batchSize.used} nodes, ${minutesText(total.minMinutes)} to ${minutesText(total.maxMinutes)} with the delays between them.`;
}

function thenOf({ form, preview }: PlanState, closed: string | null): string {
  const line = form.places.map(lineOfPlace).find((one) => one !== null);
  if (form.is === "refused") return line === undefined || line === null ? "" : `Next: line ${line}.`;
  if (preview === null) return "";
  const conflict = preview.layout.conflicts[0];
  if (conflict !== undefined) return `Next: ${conflict.text}`;
  const findings = preview.layout.findings.length;
  return (
    closed ??
    `Next: create it${findings === 0 ? "" : `; ${findings} ${findings === 1 ? "finding waits" : "findings wait"} for acceptance with the approval`}.`
  );
}
