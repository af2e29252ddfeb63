import { commandKey, type NewCommand } from "@/lib/core/change/command";
import type { CommandRequest } from "@/lib/core/change/command-request";
import type { Move } from "@/lib/core/change/move";
import type { Reason } from "@/lib/core/change/reason";
import type { NodeStep } from "@/lib/core/change/step";
import type { CommandView } from "@/lib/core/change/command";
import type { Target } from "@/lib/core/change/target";
import type { Wait } from "@/lib/core/change/wait";
import { plus, type Look } from "./look";

/** Where a target goes next and why; what is not said stays as it is, but `stage`, which starts at 0 again. */
export type NextStep = {
  readonly step: NodeStep;
  readonly because: string;
  readonly stage?: number;
  readonly aim?: "goal" | "prior";
  readonly generation?: number;
  readonly deadlineMs?: number;
};
/** What one step of one target asks for at this moment. */
export type StepRuling = {
  readonly to?: NextStep;
  readonly moves?: readonly Move[];
  readonly commands?: readonly NewCommand[];
  readonly waits?: readonly Wait[];
};

export const goTo = (step: NodeStep, because: string, more: Omit<NextStep, "step" | "because"> = {}): StepRuling => ({
  to: { step, because, ...more },
});
export const waitFor = (t: Target, because: Reason, until: Date | null = null): StepRuling => ({ waits: [waitOf(t, because, until)] });
export const waitOf = (t: Target, because: Reason, until: Date | null = null): Wait => ({
  about: { what: "target", id: t.id },
  because,
  until,
});
export const running = (t: Target, c: CommandView, look: Look): StepRuling =>
  waitFor(t, { code: "command_running", key: c.key, since: c.startedAt ?? look.now }, c.deadlineAt);

type Asked = { readonly because: string; readonly deadlineMs: number; readonly nth?: number };
/** Plans one command. Whoever calls has seen that its key is not there yet. */
export const ask = (look: Look, t: Target, request: CommandRequest, asked: Asked): NewCommand => ({
  key: commandKey(look.s.change.id, t.name, request.kind, t.generation, asked.nth ?? 1),
  kind: request.kind,
  targetId: t.id,
  generation: t.generation,
  deadlineAt: plus(look.now, asked.deadlineMs),
  because: asked.because,
  request,
});

export const targetMove = (t: Target, to: NextStep, now: Date): Move => ({
  move: "target",
  id: t.id,
  from: t.step,
  to: to.step,
  aim: to.aim ?? t.aim,
  stage: to.stage ?? 0,
  generation: to.generation ?? t.generation,
  deadlineAt: to.deadlineMs === undefined ? null : plus(now, to.deadlineMs),
  because: to.because,
});
