"use client";

import { useActionState } from "react";

import { FormAnswer } from "@/components/ui/form-answer";
import { typedIn, UNSENT, type FormAction } from "@/lib/client/form-state";

type Props = { publish: FormAction; nodeClass: string; /** Why this person cannot; null: they can. */ closed: string | null };

const template = (nodeClass: string): string => `name: nccl-${nodeClass.split("/")[0] ?? "job"}
version: 1
class: ${nodeClass}
script: |
  #!/bin/sh
  all_reduce_perf -b 512M -e 8G -f 2 -g 8
inputs: []
applicationVersion: nccl-tests 2.19.6
expect: {output: {parser: nccl-tests, wrongValues: {equals: 0}}}
metrics: [{name: busbw, parser: nccl-tests, unit: GB/s, direction: higher, warn: {above: 95%}, fail: {above: 90%}}]
repeats: 2
timeLimit: 10m
judges: [workloadOwner]
`;

/** A job as text; faults are named by their line, and what was typed stays. */
export function PublishJob({ publish, nodeClass, closed }: Props) {
  const [state, send, sending] = useActionState(publish, UNSENT);
  return (
    <form action={send} key={state.answers} className="panel pad actform">
      <label className="field wide">
        <span>Acceptance job</span>
        <textarea
          className="in mono yaml"
          name="yaml"
          rows={16}
          spellCheck={false}
          wrap="off"
          defaultValue={typedIn(state, "yaml") ?? template(nodeClass)}
        />
      </label>
      <FormAnswer state={state} />
      <div className="send">
        <button className={closed === null ? "btn primary" : "btn"} disabled={sending} aria-disabled={closed === null ? undefined : true}>
          {sending ? "Publishing …" : "Publish"}
        </button>
        {closed !== null && <span className="soft">{closed}</span>}
      </div>
    </form>
  );
}
