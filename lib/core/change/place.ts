import type { Match } from "@/lib/core/config-state/board";
import type { Known } from "@/lib/core/config-state/observation";
import type { SubjectId } from "@/lib/core/kernel/ids";

/** Where new nodes of a cluster or scale set get their version; put back before the nodes are (R1.8, R1.13). */
export type Place = {
  readonly subjectId: SubjectId;
  readonly on: string;
  readonly field: "cluster_definition" | "vmss_model";
  readonly aim: "goal" | "prior";
  readonly generation: number;
  readonly prior: Known<string>;
  readonly match: Match;
};
