import type { SeriesSeen } from "@/lib/core/check/series";
import type { ConfigBoard } from "@/lib/core/config-state/board";
import type { Known, Observed } from "@/lib/core/config-state/observation";
import type { ClassId, LeafId, PersonId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { Service } from "@/lib/core/node/service";
import type { RollbackComponent } from "./rollback";
import type { NodeStep } from "./step";

/** One node (or switch, which carries the GPUs of the nodes behind it) that the plan names. */
export type Target = {
  readonly id: TargetId;
  readonly subjectId: SubjectId;
  readonly name: string;
  readonly classId: ClassId;
  readonly role: "canary" | "member";
  readonly batch: number;
  readonly step: NodeStep;
  /** What this pass aims at: the goal, or the saved versions. */
  readonly aim: "goal" | "prior";
  readonly stage: number;
  readonly generation: number;
  readonly gpus: number;
  /** When it entered this step. */
  readonly since: Date;
  readonly deadlineAt: Date | null;
  /** validate_only: already on the goal; drained and judged, never updated (R5.7). */
  readonly mode: "update" | "validate_only";
  readonly scaleSet: SubjectId | null;
  /** Leaves of counting fabrics. */
  readonly leaves: readonly LeafId[];
  readonly rollback: readonly RollbackComponent[];
  readonly updateBegan: boolean;
  readonly because: string | null;
  readonly investigatorId: PersonId | null;
  readonly releasedToId: PersonId | null;
  readonly ticket: string | null;
  /** null until read once: what the scheduler said before we touched it. */
  readonly prior: Service | null;
  /** Counter of reboots and reimages; evidence of an older one says nothing (R1.11). */
  readonly hostEpoch: number;
  readonly bootId: string | null;
  // The rest is loaded only for targets that hold a place; otherwise unknown, null or empty. While a preflight row has no verdict, `service` and
  // `series` are loaded for every target: preflight looks at all of them (R7.7).
  readonly service: Known<Service>;
  readonly bootedAfter: Known<Date>;
  readonly board: ConfigBoard | null;
  /** Newest host report rows (boot id, driver, library ...), for citing. */
  readonly seen: readonly Observed[];
  /** By telemetry check name: the newest read, and the one before the drain (`before`). */
  readonly series: Readonly<Record<string, { readonly now: SeriesSeen | null; readonly before: SeriesSeen | null }>>;
};
