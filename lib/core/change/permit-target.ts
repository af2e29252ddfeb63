import { notYet, settled, when, type ActLook, type PermitRule, type Possible } from "./permit-look";
import { foreignDrainOf } from "./foreign-drain";
import { mayRollBack } from "./rollback";
import type { Reason } from "./reason";
import { isUndecided } from "./batch-rules";
import { isInHand, STEP_TRAITS, type NodeStep } from "./step";
import type { Target } from "./target";

type TargetRule = (look: ActLook, t: Target) => readonly Reason[];

/** A rule for every target; the closed ones are listed only where something is or was the matter with the node, so that 1,024 nodes stay readable. */
const onTargets =
  (rule: TargetRule): PermitRule =>
  (look) =>
    look.s.targets.flatMap((t): readonly Possible[] => {
      const because = rule(look, t);
      return because.length === 0 || look.full || isNoteworthy(t) ? [{ on: t.name, because }] : [];
    });

/** Neither plainly waiting nor plainly accepted. */
const isNoteworthy = (t: Target): boolean => t.step !== "waiting" && t.step !== "accepted";

const outcome = (t: Target): string => `${t.name} is ${STEP_TRAITS[t.step].outcome}`;
const wrongStep = (t: Target, steps: readonly NodeStep[], next: string): readonly Reason[] =>
  when(!steps.includes(t.step), notYet(outcome(t), next));

const RETRIABLE: readonly NodeStep[] = [
  "rolled_back",
  "rollback_failed",
  "withheld",
  "skipped",
  "deferred",
  "not_running",
  "not_at_provider",
];
const UNTOUCHED: readonly NodeStep[] = [
  "waiting",
  "checking",
  "saving",
  "protecting",
  "draining",
  "measuring",
  "unresolved",
  "withheld",
  "not_running",
  "not_at_provider",
];
const CAN_GO_BACK: readonly NodeStep[] = ["failed", "unresolved", "accepted", "rollback_failed"];
const CAN_BE_RELEASED: readonly NodeStep[] = ["unresolved", "failed", "rollback_failed"];

/** The drain took longer than the plan allows, or it was lost or changed by others (R9.2, R9.5). */
export const mayDecideDrain: PermitRule = onTargets((look, t) => {
  const late = t.step === "draining" && t.deadlineAt !== null && t.deadlineAt <= look.now;
  const lost =
    isInHand(t.step) && look.s.holds.some((h) => (h.kind === "lost_drain" || h.kind === "foreign_action") && h.targetId === t.id);
  const foreign = foreignDrainOf(t) !== null && (t.step === "draining" || STEP_TRAITS[t.step].touched);
  return when(!late && !lost && !foreign, notYet(`the drain of ${t.name} is not overdue and not lost`, "wait for its jobs"));
});

export const mayAskCheckpoint: PermitRule = onTargets((_look, t) =>
  when(t.service.is !== "value" || t.service.value.jobs.length === 0, notYet(`no job is known on ${t.name}`, "nobody to ask")),
);

export const mayRetryNode: PermitRule = onTargets((look, t) => {
  const batch = look.s.batches.find((b) => b.number === t.batch);
  return [
    ...wrongStep(t, RETRIABLE, "only a node that went back or was left out is retried"),
    ...when(batch !== undefined && batch.state === "failed" && isUndecided(look.s, batch), { code: "batch_undecided", batch: t.batch }),
  ];
});

/** Until its update has begun; what is out already returns untouched. `to`: what it is then, which not every step may become. */
export const mayLeaveOut = (to: "skipped" | "deferred"): PermitRule =>
  onTargets((_look, t) => {
    if (t.updateBegan || !UNTOUCHED.includes(t.step))
      return [notYet(`the update of ${t.name} has begun or it was left out`, "roll it back instead")];
    const next: readonly NodeStep[] = STEP_TRAITS[t.step].next;
    return when(!next.includes(to) && !next.includes("releasing"), notYet(`${outcome(t)} and cannot be ${to}`, "withdraw it instead"));
  });

export const mayRollBackNode: PermitRule = onTargets((_look, t) => [
  ...wrongStep(t, CAN_GO_BACK, "only a judged node goes back"),
  ...when(t.mode === "validate_only", settled(`${t.name} was on the goal before and was only validated`)),
  ...when(!t.updateBegan && t.step !== "rollback_failed", settled(`${t.name} was not updated: there is nothing to take back`)),
  ...when(!t.rollback.some(mayRollBack), settled(`no component of ${t.name} can go back`)),
]);

export const mayReleaseNode: PermitRule = onTargets((_look, t) =>
  wrongStep(t, CAN_BE_RELEASED, "only a node that stays out is handed over"),
);

export const mayAssignInvestigator: PermitRule = onTargets((_look, t) =>
  wrongStep(t, ["unresolved", "failed", "rollback_failed", "rolled_back", "withheld"], "there is nothing to investigate"),
);
