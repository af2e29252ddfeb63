import type { VerdictWord } from "@/lib/core/check/verdict";
import type { ChangeOutcome } from "./state";
import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

export type End =
  | { readonly state: "COMPLETED"; readonly outcome: Exclude<ChangeOutcome, "withdrawn"> }
  | { readonly state: "DEGRADED"; readonly outcome: null; readonly because: readonly string[] };
/** What `close` would write now. Whether it may is a question of gates, findings and obligations. */
export function endOf(
  targets: readonly Target[],
  validations: readonly { readonly name: string; readonly verdict: VerdictWord | null }[],
): End {
  const because = [
    ...targets
      .filter((t) => STEP_TRAITS[t.step].holdsSlot || t.step === "released")
      .map((t) => `${t.name} is out: ${STEP_TRAITS[t.step].outcome}`),
    ...validations.filter((v) => v.verdict === "fail").map((v) => `${v.name} failed`),
  ];
  if (because.length > 0) return { state: "DEGRADED", outcome: null, because };
  if (targets.every((t) => t.step === "accepted")) return { state: "COMPLETED", outcome: "as_planned" };
  return {
    state: "COMPLETED",
    outcome: targets.some((t) => t.step === "rolled_back") && targets.every((t) => t.step !== "accepted") ? "rolled_back" : "partial",
  };
}
