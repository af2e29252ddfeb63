import type { ChangeId, CommandKey, TargetId } from "@/lib/core/kernel/ids";
import type { CommandHandle, CommandOutcome, CommandRequest } from "./command-request";

export type CommandKind =
  | "check_health"
  | "save_versions"
  | "drain"
  | "set_model"
  | "apply_model"
  | "reimage"
  | "start_update"
  | "stop_update"
  | "reboot"
  | "probe"
  | "start_run"
  | "stop_run"
  | "release"
  | "start_rollback"
  | "set_definition"
  | "protect"
  | "unprotect"
  | "silence"
  | "unsilence"
  | "reserve"
  | "unreserve";
export const COMMAND_TRAITS = {
  check_health: { changes: "nothing", long: false, ends: "none" },
  save_versions: { changes: "nothing", long: false, ends: "none" },
  drain: { changes: "scheduler", long: false, ends: "none" },
  set_model: { changes: "model", long: true, ends: "model" },
  apply_model: { changes: "model", long: true, ends: "model" },
  reimage: { changes: "machine", long: true, ends: "both" },
  start_update: { changes: "machine", long: true, ends: "none" },
  stop_update: { changes: "machine", long: false, ends: "none" },
  reboot: { changes: "machine", long: true, ends: "host" },
  probe: { changes: "nothing", long: false, ends: "none" },
  start_run: { changes: "machine", long: true, ends: "none" },
  stop_run: { changes: "machine", long: false, ends: "none" },
  release: { changes: "scheduler", long: false, ends: "none" },
  start_rollback: { changes: "machine", long: true, ends: "host" },
  set_definition: { changes: "definition", long: true, ends: "none" },
  protect: { changes: "scheduler", long: false, ends: "none" },
  unprotect: { changes: "scheduler", long: false, ends: "none" },
  silence: { changes: "alerting", long: false, ends: "none" },
  unsilence: { changes: "alerting", long: false, ends: "none" },
  reserve: { changes: "scheduler", long: false, ends: "none" },
  unreserve: { changes: "scheduler", long: false, ends: "none" },
} as const satisfies Record<
  CommandKind,
  {
    readonly changes: "nothing" | "scheduler" | "machine" | "model" | "definition" | "alerting";
    readonly long: boolean;
    readonly ends: "none" | "host" | "model" | "both";
  }
>;
/** on: the target; for set_model the scale set and for set_definition the cluster (performed once per place and aim, not per node).
    nth: how often this kind was already asked for in this generation, plus one (a second probe, a drain that was lost and is repeated). */
export const commandKey = (c: ChangeId, on: string, kind: CommandKind, generation: number, nth = 1): CommandKey =>
  `${c}/${on}/${kind}${nth > 1 ? `.${nth}` : ""}/${generation}` as CommandKey;
export type NewCommand = {
  readonly key: CommandKey;
  readonly kind: CommandKind;
  readonly targetId: TargetId | null;
  readonly generation: number;
  readonly deadlineAt: Date;
  readonly because: string;
  readonly request: CommandRequest;
};
export type CommandView = NewCommand & {
  readonly state: "planned" | "started" | "succeeded" | "failed" | "unknown" | "cancelled";
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly handle: CommandHandle | null;
  readonly outcome: CommandOutcome | null;
};
