import type { Known, UnknownBecause } from "@/lib/core/config-state/observation";
import type { ClassId, LeafId, ObservationId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import type { Service } from "@/lib/core/node/service";
import type { RollbackComponent } from "@/lib/core/change/rollback";
import type { Target } from "@/lib/core/change/target";
import { NOW, at } from "./a-moment";
import { nodeName } from "./a-layout";

export const aValue = <T>(value: T, when: Date = NOW, cites: readonly number[] = [1]): Known<T> => ({
  is: "value",
  value,
  cites: cites as readonly ObservationId[],
  at: when,
  sources: ["slurm"],
});
export const anUnknown = <T>(because: UnknownBecause = "never_observed"): Known<T> => ({ is: "unknown", because, last: [] });

export const aService = (overrides: Partial<Service> = {}): Service => ({
  state: "in_service",
  reason: null,
  ours: false,
  jobs: [],
  ...overrides,
});

export const aRollback = (overrides: Partial<RollbackComponent> = {}): RollbackComponent => ({
  name: "driver",
  capability: "tested",
  acceptedUntested: false,
  savedVersion: "550.90.07",
  fetchable: aValue(true),
  ...overrides,
});

/** Node number `n` of the plan as the layout places it: waiting, never touched. Batch and leaf follow from the number. */
export const aTarget = (n: number, overrides: Partial<Target> = {}): Target => ({
  id: `t${n}` as TargetId,
  subjectId: (100 + n) as SubjectId,
  name: nodeName(n),
  classId: 1 as ClassId,
  role: n === 1 ? "canary" : "member",
  batch: Math.ceil(n / 4),
  step: "waiting",
  aim: "goal",
  stage: 0,
  generation: 1,
  gpus: 8,
  since: at(-60),
  deadlineAt: null,
  mode: "update",
  scaleSet: null,
  leaves: [(((n - 1) % 4) + 1) as LeafId],
  rollback: [aRollback()],
  updateBegan: false,
  because: null,
  investigatorId: null,
  releasedToId: null,
  ticket: null,
  prior: null,
  hostEpoch: 1,
  bootId: `boot-${n}-1`,
  service: anUnknown(),
  bootedAfter: anUnknown(),
  board: null,
  seen: [],
  series: {},
  ...overrides,
});
