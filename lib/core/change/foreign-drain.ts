import { isForeign, type Service } from "@/lib/core/node/service";
import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

/** The drain that somebody else has on a node which this change keeps out; null: there is none, or it is not known (R9.2). */
export function foreignDrainOf(t: Target): Service | null {
  if (t.service.is !== "value" || !STEP_TRAITS[t.step].holdsSlot || t.step === "checking" || t.step === "saving") return null;
  return isForeign(t.service.value) ? t.service.value : null;
}
