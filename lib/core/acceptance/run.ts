import { z } from "zod";

/** Conditions of a run that must be equal before it is compared (R3.4). JSON column `runs.context`. */
export const RunContext = z.strictObject({
  node: z.string(),
  nodes: z.array(z.string()),
  ranks: z.number().nullable(),
  sizes: z.array(z.number()),
  /** Versions as observed: driver, nccl, kernel, image, firmware ... An undeclared difference is a finding. */
  versions: z.record(z.string(), z.string()),
});
export type RunContext = z.infer<typeof RunContext>;

/** JSON column `runs.execution`. */
export const RunExecution = z.strictObject({
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  requeues: z.number(),
  wallMs: z.number(),
  /** The scheduler path was exercised: false where the job ran over SSH because no reservation could be made (R3.6). */
  throughScheduler: z.boolean(),
});
export type RunExecution = z.infer<typeof RunExecution>;

/** JSON column `runs.output`. */
export const RunOutput = z.strictObject({ sha256: z.string(), correct: z.enum(["correct", "wrong", "unknown"]), because: z.string() });
export type RunOutput = z.infer<typeof RunOutput>;

export const RUN_PURPOSES = ["baseline", "canary", "acceptance", "fabric_validation", "spot_validation", "rollback_acceptance"] as const;
export type RunPurpose = (typeof RUN_PURPOSES)[number];

export type RunMeasurement = {
  readonly metric: string;
  readonly bucket: number;
  readonly placement: string;
  readonly value: number;
  readonly unit: string;
};

export type Run = {
  readonly id: string;
  readonly jobId: string;
  readonly classId: number;
  readonly node: string;
  readonly purpose: RunPurpose;
  readonly repeat: number;
  readonly commandKey: string | null;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly hostEpoch: number;
  readonly context: RunContext;
  readonly execution: RunExecution | null;
  readonly output: RunOutput | null;
  readonly inputSha: string;
  readonly appVersion: string;
  readonly evidenceSha: string | null;
  readonly measurements: readonly RunMeasurement[];
};
