import { blocks } from "@/lib/core/check/verdict";
import { FIELD_TRAITS } from "@/lib/core/config-state/observation";
import { batchesInOrder, isUndecided } from "./batch-rules";
import { closeReasons } from "./close-rules";
import { notAskedFor } from "./gate-before-touch";
import type { GateAnswer, GateRule } from "./gate";
import { checkReason } from "./gate-of-preflight";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { CheckView, Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";
import { validationWanted } from "./validation-wanted";

/** No target waits or is under way, and no batch is undecided. */
export function batchesGate(s: Snapshot): GateAnswer {
  const undecided = batchesInOrder(s).filter((b) => isUndecided(s, b));
  const left = s.targets.filter((t) => !STEP_TRAITS[t.step].settled);
  const reasons: Reason[] = undecided.map((b) => ({ code: "batch_undecided", batch: b.number }));
  if (left.length > 0)
    reasons.push({ code: "not_yet", what: `${left.length} of ${s.targets.length} nodes are not through`, next: "start the next batch" });
  return reasons.length > 0
    ? reasons
    : {
        at: latest(
          s.targets.map((t) => t.since),
          s.change.createdAt,
        ),
      };
}

/** A result is there: pass, or fail, which makes the end DEGRADED. No result leaves it open (R11.5). */
export const validationGate =
  (gate: "fabric_validation" | "spot_validation"): GateRule =>
  (s, _policy, now) => {
    if (!validationWanted(s).includes(gate)) return { notAsked: notAskedFor(s) };
    const rows = newestOf(s, gate);
    if (s.targets.every((t) => STEP_TRAITS[t.step].settled && t.step !== "accepted" && t.step !== "unresolved"))
      return { notAsked: "no node was left on the new version" };
    if (rows.length === 0)
      return [{ code: "not_yet", what: `${gate.replace("_", " ")} has not run`, next: "run it when the batches are done" }];
    const open = rows.filter((c) => c.verdict !== "fail" && blocks(c, now));
    if (open.length > 0) return open.map((c) => checkReason(c, "the change"));
    return {
      at: latest(
        rows.flatMap((c) => c.judgedAt ?? []),
        s.change.createdAt,
      ),
    };
  };

/** Where a rebuilt node gets its version agrees with what the nodes were accepted on, read within 15 minutes (R1.10, R1.13). */
export function definitionGate(s: Snapshot, _policy: Policy, now: Date): GateAnswer {
  const persistence = s.change.goal.persistence.kind;
  const accepted = s.targets.filter((t) => t.step === "accepted");
  const layers = s.checks.filter(
    (c) => c.spec.kind === "configuration" && accepted.some((t) => t.id === c.targetId && t.generation === c.generation) && blocks(c, now),
  );
  const layerReasons = layers.map((c) => checkReason(c, s.targets.find((t) => t.id === c.targetId)?.name ?? "a node"));
  if (s.places.length === 0 && layerReasons.length === 0) {
    if (persistence === "in_the_device") return { notAsked: "the version lives in the device" };
    if (persistence === "none") return { notAsked: "a rebuilt node returns to the old version, which was accepted with the plan" };
    if (accepted.length === 0) return { notAsked: "no node was left on the new version" };
  }
  const reasons = [...layerReasons, ...(s.places.length > 0 ? placeReasons(s, now) : confirmationReasons(s, now))];
  return reasons.length > 0 ? reasons : { at: now };
}

/** Done only by the end itself; until then, what `close` waits for. */
export function closeGate(s: Snapshot, policy: Policy, now: Date): GateAnswer {
  if (s.change.endedAt !== null) return { at: s.change.endedAt };
  const reasons = closeReasons(s, policy, now);
  return reasons.length > 0 ? reasons : [{ code: "not_yet", what: "the change is not closed", next: "its owner closes it" }];
}

/** The rows of the newest run of a change-scoped gate. */
export function newestOf(s: Snapshot, gate: CheckView["gate"]): readonly CheckView[] {
  const rows = s.checks.filter((c) => c.gate === gate);
  const newest = Math.max(0, ...rows.map((c) => c.generation));
  return rows.filter((c) => c.generation === newest);
}

function placeReasons(s: Snapshot, now: Date): readonly Reason[] {
  return s.places.flatMap((place): readonly Reason[] => {
    const known = place.match.known;
    const maxAge = FIELD_TRAITS[place.field].maxAgeMs;
    if (known.is === "unknown") return [{ code: "unknown", on: place.on, field: place.field, unknown: known.because }];
    if (now.getTime() - known.at.getTime() > maxAge) return [{ code: "unknown", on: place.on, field: place.field, unknown: "too_old" }];
    if (place.match.verdict === "matches") return [];
    return [
      { code: "not_yet", what: `${place.on} still names ${known.value}, wanted is ${place.match.wanted}`, next: "confirm the definition" },
    ];
  });
}

function confirmationReasons(s: Snapshot, now: Date): readonly Reason[] {
  const rows = newestOf(s, "definition_agrees");
  if (rows.length === 0)
    return [{ code: "not_yet", what: "nobody has confirmed what a rebuilt node would get", next: "confirm the definition" }];
  const open = rows.filter((c) => blocks(c, now));
  if (open.length > 0) return open.map((c) => checkReason(c, "the definition"));
  const old = rows.some((c) => c.judgedAt === null || now.getTime() - c.judgedAt.getTime() > FIELD_TRAITS.cluster_definition.maxAgeMs);
  return old ? [{ code: "unknown", on: "the definition", field: "cluster_definition", unknown: "too_old" }] : [];
}

const latest = (dates: readonly Date[], otherwise: Date): Date => dates.reduce((a, b) => (a > b ? a : b), otherwise);
