import { GATE_PROFILES } from "./gate-profiles";
import type { Snapshot } from "./snapshot";

/** The validations after the last batch that the profile asks for (R7.5, R11.5). */
export function validationWanted(s: Snapshot): readonly ("fabric_validation" | "spot_validation")[] {
  const profile = GATE_PROFILES[s.change.profile];
  const fabric = profile.fabricValidation === "yes" || (profile.fabricValidation === "not_for_cuda" && s.change.type !== "cuda_toolkit");
  return [...(fabric ? (["fabric_validation"] as const) : []), ...(profile.spotValidation === "yes" ? (["spot_validation"] as const) : [])];
}
