import type { Baseline } from "@/lib/core/acceptance/baseline";
import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import type { LockedJob } from "@/lib/core/change/snapshot";
import type { ClassId } from "@/lib/core/kernel/ids";
import { aHash } from "./a-hash";
import { A_CLASS } from "./a-layout";
import { at } from "./a-moment";
import { LT } from "./a-person";

export const aJobSpec = (overrides: Partial<AcceptanceJobSpec> = {}): AcceptanceJobSpec => ({
  name: "nccl-h100",
  version: 3,
  class: A_CLASS,
  script: "srun --ntasks=8 all_reduce_perf -b 512M -e 8G -f 2 -g 1\n",
  inputs: [],
  applicationVersion: "nccl-tests 2.19.6",
  expectOutput: { kind: "parser", parser: "nccl-tests", values: { wrongValues: { equals: "0" } } },
  metrics: [
    {
      name: "busbw",
      parser: "nccl-tests",
      unit: "GB/s",
      direction: "higher",
      warn: { above: { percentOfBaseline: 95 } },
      fail: { above: { percentOfBaseline: 90 } },
    },
  ],
  repeats: 3,
  timeLimitMs: 10 * 60_000,
  judges: ["workloadOwner"],
  ...overrides,
});

export const aBaseline = (overrides: Partial<Baseline> = {}): Baseline => ({
  id: "baseline-1",
  jobId: "nccl-h100@3",
  classId: 1,
  changeId: null,
  summary: {
    rows: [
      {
        metric: "busbw",
        bucket: 8 * 1024 ** 3,
        placement: "out-of-place",
        unit: "GB/s",
        median: 460,
        spread: 0.5,
        runs: 3,
        values: [459.5, 460, 460.5],
      },
    ],
    conditions: { ranks: "8" },
    versions: { driver: "550.90.07", nccl: "2.21.5" },
  },
  inputSha: aHash("input"),
  appVersion: "nccl-tests 2.19.6",
  capturedAt: at(-30 * 24 * 60),
  retiredAt: null,
  ...overrides,
});

export const aLockedJob = (overrides: Partial<LockedJob> = {}): LockedJob => ({
  classId: 1 as ClassId,
  jobId: "nccl-h100@3",
  spec: aJobSpec(),
  fingerprint: aHash("job 3"),
  baseline: aBaseline(),
  capture: false,
  lockedAt: at(-400),
  lockedById: LT,
  ...overrides,
});
