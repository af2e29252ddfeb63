import { commandKey, type CommandKind, type CommandView } from "@/lib/core/change/command";
import type { CommandOutcome } from "@/lib/core/change/command-request";
import type { ChangeId, TargetId } from "@/lib/core/kernel/ids";
import { at } from "./a-moment";
import { nodeName } from "./a-layout";

/** A command of kind `check_health` unless the request says otherwise, finished and done unless `state` says otherwise. */
export const aCommand = (n: number, overrides: Partial<CommandView> & { readonly kind?: CommandKind } = {}): CommandView => {
  const kind = overrides.kind ?? overrides.request?.kind ?? "check_health";
  const generation = overrides.generation ?? 1;
  return {
    key: commandKey("chg-1" as ChangeId, nodeName(n), kind, generation),
    kind,
    targetId: `t${n}` as TargetId,
    generation,
    deadlineAt: at(30),
    because: "next step",
    request: { kind: "check_health", node: nodeName(n), expectGpus: 8 },
    state: "succeeded",
    startedAt: at(-3),
    finishedAt: at(-2),
    handle: null,
    outcome: anOutcome(),
    ...overrides,
  };
};

export const anOutcome = (overrides: Partial<CommandOutcome> = {}): CommandOutcome => ({ result: "done", because: "done", ...overrides });
