import type { NewCommand } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { Wait } from "@/lib/core/change/wait";

/** What decide returns. "Decision" is kept for what people decide. */
export type Ruling = {
  readonly moves: readonly Move[];
  readonly commands: readonly NewCommand[];
  readonly waits: readonly Wait[];
  readonly lookAgainAt: Date;
};
