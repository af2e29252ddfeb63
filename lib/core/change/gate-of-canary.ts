import type { ClassId } from "@/lib/core/kernel/ids";
import { classesInPlay, newestReport } from "./class-in-play";
import { notAskedFor } from "./gate-before-touch";
import type { GateAnswer } from "./gate";
import { GATE_PROFILES } from "./gate-profiles";
import type { Policy } from "./policy";
import {
  asksReading,
  canariesOf,
  canaryReasons,
  goesOn,
  needsSignOff,
  readingReasons,
  reportReasons,
  signOffOf,
  signReasons,
} from "./sign-off-rules";
import type { Snapshot } from "./snapshot";

/** Every canary of every class in play is accepted (R5.4). `canaries: 0` is a rehearsal's right. */
export function canaryGate(s: Snapshot): GateAnswer {
  const classes = classesInPlay(s);
  const canaries = classes.flatMap((id) => canariesOf(s, id));
  const reasons = classes.flatMap((id) => canaryReasons(s, id));
  if (reasons.length > 0) return reasons;
  if (canaries.length === 0) return { notAsked: notNeeded(s, classes) };
  return { at: latest(canaries.map((t) => t.since)) };
}

const notNeeded = (s: Snapshot, classes: readonly ClassId[]): string => {
  if (classes.length === 0) return "no node is left in this change";
  return GATE_PROFILES[s.change.profile].canary === "may_be_none" ? notAskedFor(s) : "no node waits for a canary any more";
};

export function reportGate(s: Snapshot): GateAnswer {
  const classes = signed(s);
  if (classes.length === 0) return { notAsked: notAskedFor(s) };
  const reasons = classes.flatMap((id) => reportReasons(s, id));
  return reasons.length > 0 ? reasons : { at: latest(classes.map((id) => newestReport(s, id)?.createdAt ?? s.change.createdAt)) };
}

export function signOffGate(s: Snapshot, _policy: Policy, now: Date): GateAnswer {
  const classes = signed(s);
  if (classes.length === 0) return { notAsked: notAskedFor(s) };
  const reasons = classes.flatMap((id) => {
    const report = reportReasons(s, id);
    return report.length > 0 ? report : signReasons(s, id, now);
  });
  return reasons.length > 0 ? reasons : { at: latest(classes.map((id) => signOffOf(s, id, now)?.at ?? s.change.createdAt)) };
}

/** Answers recorded and every difference settled, where the profile asks for it (R4.5). */
export function readingGate(s: Snapshot, policy: Policy): GateAnswer {
  if (GATE_PROFILES[s.change.profile].secondReading === "owed_in_post_mortem") return { notAsked: "owed in the post-mortem" };
  const classes = signed(s);
  if (!asksReading(s, policy) || classes.length === 0) return { notAsked: notAskedFor(s) };
  const reasons = classes.flatMap((id) => {
    const report = newestReport(s, id);
    return report === null ? reportReasons(s, id) : readingReasons(s, id);
  });
  return reasons.length > 0 ? reasons : { at: latest(s.readings.map((r) => r.at)) };
}

/** Who still goes out, or the canary itself, is what a record is signed for; a class of which neither is left needs none (R7.3). */
const signed = (s: Snapshot) =>
  classesInPlay(s).filter((id) => needsSignOff(s, id) && (goesOn(s, id) || canariesOf(s, id).some((t) => t.step === "accepted")));
const latest = (dates: readonly Date[]): Date => dates.reduce((a, b) => (a > b ? a : b));
