import type { CheckId, ClassId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { GateId } from "./gate-id";
import type { CheckSpec } from "./spec";
import type { CheckScope } from "./verdict";

/** A check to be written before the step that needs it. The id is made by the core: `<change>/<gate>/<target or class or batch or change>/<generation>/<name>`. */
export type NewCheck = {
  readonly id: CheckId;
  readonly gate: GateId;
  readonly scope: CheckScope;
  readonly targetId: TargetId | null;
  readonly classId: ClassId | null;
  readonly batch: number | null;
  readonly generation: number;
  readonly name: string;
  readonly spec: CheckSpec;
  readonly waivable: boolean;
  readonly settlesAt: Date | null;
  readonly dueAt: Date | null;
  readonly notApplicableBecause: string | null;
  readonly members: readonly { readonly subjectId: SubjectId; readonly part: "member" | "partner" }[];
};
