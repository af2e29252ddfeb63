import type { CheckId, ObservationId, Sha256, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { GateId } from "./gate-id";

export const VERDICTS = ["pass", "fail", "unresolved", "not_applicable"] as const;
export type VerdictWord = (typeof VERDICTS)[number];
export const VERDICT_REASONS = [
  "as_expected",
  "not_as_expected",
  "on_the_limit",
  "beyond_limit",
  "wrong_output",
  "no_data",
  "tool_error",
  "timed_out",
  "not_a_number",
  "sentinel",
  "out_of_range",
  "stale",
  "before_reboot",
  "too_few",
  "vanished",
  "not_comparable",
  "no_baseline",
  "requeued",
  "truncated",
  "unsupported_version",
  "warned",
  "sources_disagree",
  "no_partner",
  "judged_by_person",
] as const;
export type VerdictReason = (typeof VERDICT_REASONS)[number];
export type Judged = {
  readonly verdict: VerdictWord;
  readonly reason: VerdictReason;
  readonly because: string;
  readonly facts: VerdictFacts;
  readonly rests: Rests;
};
export type VerdictFacts = {
  readonly measured?: number;
  readonly unit?: string;
  readonly limit?: string;
  readonly baseline?: number;
  readonly missing?: readonly string[];
  readonly expected?: number;
  readonly seen?: number;
};
/** A pass always rests on something; the database refuses one that does not. `record`: canonical JSON of the facts of the record itself that it
    relied on (bookings, approvals, a person's judgement), which the store keeps as evidence. */
export type Rests = {
  readonly observations: readonly ObservationId[];
  readonly runId?: string;
  readonly evidence?: Sha256;
  readonly record?: string;
};
export const CHECK_SCOPES = ["node", "group", "change"] as const;
export type CheckScope = (typeof CHECK_SCOPES)[number];
export type Check = {
  readonly id: CheckId;
  readonly gate: GateId;
  readonly targetId: TargetId | null;
  readonly batch: number | null;
  readonly generation: number;
  readonly name: string;
  /** null: not yet judged */ readonly verdict: VerdictWord | null;
  readonly because: string;
  readonly scope: CheckScope;
  /** group: the held nodes it needs; partner nodes are lent */ readonly members: readonly {
    readonly subjectId: SubjectId;
    readonly part: "member" | "partner";
  }[];
  /** evidence is not due before this: Waiting, not a verdict */ readonly settlesAt: Date | null;
  readonly dueAt: Date | null;
  readonly waivable: boolean;
  readonly waivedUntil: Date | null;
};
/** Blocks unless pass, not applicable, or an unresolved one waived right now. The one place where a waiver counts; it never changes the verdict, and a failure is never waived. */
export const blocks = (c: Check, now: Date): boolean =>
  c.verdict !== "pass" &&
  c.verdict !== "not_applicable" &&
  !(c.verdict === "unresolved" && c.waivable && c.waivedUntil !== null && c.waivedUntil > now);
/** What the page says. Waiting and "not judged yet" are not verdicts and pass no gate. */
export const checkWord = (c: Check, now: Date): "Pass" | "Fail" | "Unresolved" | "Waived" | "Waiting" | "Not applicable" =>
  c.verdict === "pass"
    ? "Pass"
    : c.verdict === "fail"
      ? "Fail"
      : c.verdict === "not_applicable"
        ? "Not applicable"
        : c.verdict === null
          ? "Waiting"
          : blocks(c, now)
            ? "Unresolved"
            : "Waived";
