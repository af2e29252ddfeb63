import type { CheckView } from "@/lib/core/change/snapshot";
import type { NodeStep } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { TargetId } from "@/lib/core/kernel/ids";
import { aCheck } from "./a-check";
import { at } from "./a-moment";
import { aBoard } from "./a-report";
import { aTarget } from "./a-target";

/** A target's overrides for standing in a step since five minutes. */
export const inStep = (step: NodeStep, overrides: Partial<Target> = {}): Partial<Target> => ({
  step,
  since: at(-5),
  board: aBoard(),
  ...overrides,
});

/** The first `count` targets of the plan (twelve), with overrides by name; `also` adds others. */
export const someTargets = (by: Readonly<Record<string, Partial<Target>>>, count = 12, also: readonly number[] = []): readonly Target[] =>
  [...Array.from({ length: count }, (_, i) => i + 1), ...also].map((n) => aTarget(n, by[`t${n}`] ?? {}));

/** Checks of one pass of target `n`, all passed: its host layer and one command. */
export const passed = (n: number, overrides: Partial<CheckView> = {}): readonly CheckView[] => {
  const targetId = `t${n}` as TargetId;
  return [
    aCheck({
      targetId,
      name: "host report",
      waivable: false,
      spec: { kind: "configuration", field: "host_report", component: "gpu_driver", wanted: "570.172.08" },
      ...overrides,
    }),
    aCheck({ targetId, ...overrides }),
  ];
};
