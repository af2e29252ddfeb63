import type { Move, NewCheck } from "@/lib/core/change/move";
import type { NodeStep } from "@/lib/core/change/step";
import type { CheckId, TargetId } from "@/lib/core/kernel/ids";
import { nodeName } from "./a-layout";
import { at } from "./a-moment";
import { CHANGE } from "./store-contract-record";

/** A node check that runs one command; its id follows from where it belongs. */
export function aNewCheck(overrides: Partial<NewCheck> = {}): NewCheck {
  const check: NewCheck = {
    id: "" as CheckId,
    gate: "batches",
    scope: "node",
    targetId: null,
    classId: null,
    batch: null,
    generation: 1,
    name: "driver version",
    spec: {
      kind: "command",
      run: "nvidia-smi",
      on: "node",
      parser: null,
      expect: { equals: "570.172.08" },
      baseline: null,
      groupSize: null,
      timeoutMs: 60_000,
      gpus: 8,
    },
    waivable: true,
    settlesAt: null,
    dueAt: null,
    notApplicableBecause: null,
    members: [],
    ...overrides,
  };
  return check.id === ""
    ? { ...check, id: `${CHANGE}/${check.gate}/${check.targetId ?? "change"}/${check.generation}/${check.name}` as CheckId }
    : check;
}

/** Node number `n` of a change goes from one step to the next. */
export const aStep = (n: number, from: NodeStep, to: NodeStep, changeId: string = CHANGE): Move => ({
  move: "target",
  id: `${changeId}:${nodeName(n)}` as TargetId,
  from,
  to,
  aim: "goal",
  stage: 0,
  generation: 1,
  deadlineAt: at(30),
  because: `${from} to ${to}`,
});

const TO_ACCEPTED = [
  "waiting",
  "checking",
  "saving",
  "protecting",
  "draining",
  "updating",
  "observing",
  "validating",
  "returning",
  "accepted",
] as const;

/** Every step of a node that goes well, one move each. */
export const stepsToAccepted = (n: number): readonly Move[] =>
  TO_ACCEPTED.slice(1).map((to, i) => aStep(n, TO_ACCEPTED[i] ?? "waiting", to));
