import type { ConfigField, Known, UnknownBecause } from "./observation";

export type Match = { readonly verdict: "matches" | "differs" | "unknown"; readonly known: Known<string>; readonly wanted: string };
export type ConfigRow = Readonly<Record<ConfigField, Match | { readonly verdict: "not_applicable"; readonly because: string }>>;
/** Phases of R1.2: before (cited by the first generation's check), target (the goal), now or after, after rollback (aim = prior). */
export type ConfigBoard = {
  readonly before: ConfigRow | null;
  readonly now: ConfigRow;
  readonly afterRollback: ConfigRow | null;
  readonly sentences: readonly ConfigSentence[];
  readonly complete: boolean;
  readonly pending: readonly ConfigField[];
};
export type ConfigSentence =
  | { readonly says: "reimage_would_reproduce"; readonly node: string; readonly old: string }
  | { readonly says: "model_changed_instance_pending"; readonly node: string }
  | { readonly says: "new_nodes_get_model"; readonly model: string; readonly definition: string }
  | {
      readonly says: "definition_and_model_differ";
      readonly definition: string;
      readonly model: string;
      /** by the plan, until sign-off (R1.8) */ readonly declared: boolean;
    }
  | { readonly says: "rebuild_returns_to_old"; readonly node: string; readonly old: string }
  | { readonly says: "sources_disagree"; readonly node: string; readonly left: string; readonly right: string }
  | { readonly says: "unknown"; readonly field: ConfigField; readonly because: UnknownBecause }
  | { readonly says: "all_agree"; readonly node: string };
