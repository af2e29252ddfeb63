import type { ClassId, PersonId } from "@/lib/core/kernel/ids";
import type { Batch } from "./batch";
import { batchesInOrder, isOver, isUndecided, membersOf, nextBatch } from "./batch-rules";
import { findingReason } from "./approval";
import { classesInPlay } from "./class-in-play";
import { stopDecided } from "./decision-rules";
import { gatesBefore, lackingIn } from "./gate";
import { checkReason } from "./gate-of-preflight";
import { newestOf } from "./gate-of-end";
import { HOLD_TRAITS } from "./hold";
import { isCurrent } from "./permit-checks";
import { notYet, onChange, orNone, settled, when, type ActLook, type PermitRule } from "./permit-look";
import type { Reason } from "./reason";
import { classReasons } from "./sign-off-rules";
import type { Snapshot } from "./snapshot";
import { validationWanted } from "./validation-wanted";

export const mayStartCanary: PermitRule = ({ s, gates, start }) => {
  const canaries = s.targets.filter((t) => t.role === "canary");
  const waiting = canaries.filter((t) => t.step === "waiting");
  return onChange([
    ...when(canaries.length === 0, settled("this plan has no canaries: start the first batch")),
    ...when(canaries.length > 0 && waiting.length === 0, settled("every canary has begun")),
    ...when(
      s.change.canariesAskedFor && waiting.length > 0,
      settled("the canaries are asked for; they start as soon as nothing is in the way"),
    ),
    ...gatesBefore(gates, "canary"),
    ...start,
  ]);
};

export const mayStartBatch: PermitRule = (look) => {
  const { s, gates, start, now } = look;
  const shared: Shared = {
    turn: turnOf(look),
    ofClass: new Map(classesInPlay(s).map((id) => [id, classReasons(s, id, look.policy, now)])),
    inTheWay: [
      ...s.findings.filter((f) => f.blocks && f.closedAt === null && f.kind !== "plan").map(findingReason),
      ...gatesBefore(gates, "canary"),
      ...start,
    ],
    undecided: undecided(s, now),
  };
  return orNone(
    batchesInOrder(s)
      .filter((b) => !isOver(s, b) && b.state !== "withdrawn")
      .map((b) => ({ on: String(b.number), because: batchReasons(look, b, shared) })),
    "every batch is over",
    "nothing to start",
  );
};

/** What is the same for every batch, worked out once. */
type Shared = {
  readonly ofClass: ReadonlyMap<ClassId, readonly Reason[]>;
  readonly turn: Turn;
  readonly undecided: readonly Reason[];
  readonly inTheWay: readonly Reason[];
};
type Turn = { readonly running: readonly Batch[]; readonly next: Batch | null };

/** Everything that keeps a batch from being asked for: undecided batches, its classes' canaries, order, delay, findings, gates, start conditions (R5.4, R8.4). */
function batchReasons({ s, now }: ActLook, batch: Batch, shared: Shared): readonly Reason[] {
  const waiting = membersOf(s, batch.number).filter((t) => t.step === "waiting");
  const classes = [...new Set(waiting.map((t) => t.classId))];
  return [
    ...when(waiting.length === 0, settled(`batch ${batch.number} has nobody waiting`)),
    ...when(
      batch.askedFor && waiting.length > 0,
      settled(`batch ${batch.number} is asked for; it starts as soon as nothing is in the way`),
    ),
    ...shared.undecided,
    ...classes.flatMap((id) => shared.ofClass.get(id) ?? []),
    ...outOfTurn(batch, shared.turn),
    ...(batch.notBefore !== null && batch.notBefore > now
      ? [{ code: "batch_delay" as const, until: batch.notBefore, because: "the plan's delay between batches" }]
      : []),
    ...shared.inTheWay,
  ];
}

/** Undecided batches, and which checks leave their nodes unresolved. */
function undecided(s: Snapshot, now: Date): readonly Reason[] {
  return batchesInOrder(s)
    .filter((b) => isUndecided(s, b))
    .flatMap((b): readonly Reason[] => {
      const members = membersOf(s, b.number).filter((t) => t.step === "unresolved");
      const checks = s.checks.filter(
        (c) => c.verdict === "unresolved" && isCurrent(s, c) && (c.waivedUntil === null || c.waivedUntil <= now),
      );
      const named = members.flatMap((t) => checks.filter((c) => c.targetId === t.id).map((c) => checkReason(c, t.name)));
      return [{ code: "batch_undecided", batch: b.number }, ...named];
    });
}

/** One batch after the other; a later one whose classes are signed may go before one whose are not (R5.4). */
function turnOf({ s, policy, now }: ActLook): Turn {
  const order = batchesInOrder(s);
  const running = order.filter((b) => b.askedFor && !isOver(s, b));
  const open = new Set(classesInPlay(s).filter((id) => classReasons(s, id, policy, now).length === 0));
  const ready = order.find((b) => {
    const waiting = membersOf(s, b.number).filter((t) => t.step === "waiting");
    return waiting.length > 0 && waiting.every((t) => open.has(t.classId));
  });
  return { running, next: ready ?? nextBatch(s) };
}

function outOfTurn(batch: Batch, { running, next }: Turn): readonly Reason[] {
  const others = running.filter((b) => b.number !== batch.number);
  if (others.length > 0) return others.map((b) => notYet(`batch ${b.number} is under way`, "wait until it is over"));
  return when(next !== null && next.number !== batch.number, notYet(`batch ${next?.number ?? 0} comes first`, "start it"));
}

export const mayPause: PermitRule = ({ s }) =>
  onChange(
    when(
      s.holds.some((h) => h.kind === "person"),
      settled("it is paused"),
    ),
  );

/** Lifts what `resume` lifts; every other hold names its own way. */
export const mayResume: PermitRule = ({ s }) => {
  const mine = s.holds.filter((h) => HOLD_TRAITS[h.kind].liftedBy === "resume");
  const elsewhere = s.holds
    .map((h) => HOLD_TRAITS[h.kind].liftedBy)
    .map((by) => `this hold is lifted by ${by === "rule" ? "the end of its cause" : by}`);
  return onChange(
    [
      ...when(mine.length === 0, settled(elsewhere[0] ?? "it is not held")),
      ...batchesInOrder(s)
        .filter((b) => isUndecided(s, b))
        .map((b): Reason => ({ code: "batch_undecided", batch: b.number })),
    ],
    { holders: [...new Set(mine.map((h): PersonId => h.ownerId))] },
  );
};

/** On a failed batch, or on the batch of a rejected canary. Which choices are open is said where one is made. */
export const mayDecide: PermitRule = ({ s }) => {
  const rejected = s.holds.filter((h) => h.kind === "canary_rejected").flatMap((h) => h.batch ?? []);
  const failed = s.batches.filter((b) => b.state === "failed").map((b) => b.number);
  const numbers = [...new Set([...failed, ...rejected])].sort((a, b) => a - b);
  return orNone(
    numbers.map((n) => ({ on: String(n), because: [] })),
    "no batch failed and no canary was rejected",
    "nothing to decide",
  );
};

/** Once every class is signed (or the rollout was stopped), and only where a rebuilt node gets its version from somewhere. */
export const mayConfirmDefinition: PermitRule = ({ s, policy, now, gates }) => {
  const gate = gates.definition_agrees;
  const waiting = newestOf(s, "definition_agrees").some((c) => c.verdict === null);
  return onChange([
    ...when(gate.is === "done", settled("definition and nodes agree")),
    ...(gate.is === "not_applicable" ? [settled(gate.because)] : []),
    ...when(waiting, notYet("the reading was asked for", "upload it as evidence of its check")),
    ...(stopDecided(s, now) === null ? classesInPlay(s).flatMap((id) => classReasons(s, id, policy, now)) : []),
  ]);
};

export const mayRunValidation =
  (gate: "fabric_validation" | "spot_validation"): PermitRule =>
  ({ s, gates }) =>
    onChange([
      ...when(!validationWanted(s).includes(gate), settled(`not asked for by profile ${s.change.profile}`)),
      ...when(
        newestOf(s, gate).some((c) => c.verdict === null),
        settled("it is running"),
      ),
      ...when(gates[gate].is === "done", settled("it has a result")),
      ...when(!s.targets.some((t) => t.step === "accepted"), notYet("no node is accepted", "there is nothing to validate on")),
      ...lackingIn(gates.batches),
    ]);
