import type { Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";

const id = (initials: string): PersonId => initials as PersonId;

/** AK wrote the plan, operates and owns; LT chose the job; MR approves; JS reads second; DV decides on failures. */
export const AK = id("AK"),
  LT = id("LT"),
  MR = id("MR"),
  JS = id("JS"),
  DV = id("DV"),
  RB = id("RB"),
  AD = id("AD");

type APerson = { readonly id: PersonId; readonly name: string; readonly roles: readonly Role[] };

export const PEOPLE: readonly APerson[] = [
  { id: AK, name: "Anna Krol", roles: ["viewer", "operator"] },
  { id: LT, name: "Li Tan", roles: ["viewer", "workload_owner"] },
  { id: MR, name: "Mara Ruiz", roles: ["viewer", "approver"] },
  { id: JS, name: "Jonas Sand", roles: ["viewer"] },
  { id: DV, name: "Dina Vogt", roles: ["viewer", "operator"] },
  { id: RB, name: "Rolf Berg", roles: ["viewer"] },
  { id: AD, name: "Ada Dahl", roles: ["viewer", "admin"] },
];
