/** Every way in which the simulated data centre can misbehave, with its parameters; `README.md` beside says what each does. */
import { z } from "zod";

const Metric = z.string().regex(/^[A-Za-z_:][A-Za-z0-9_:]*$/);
const series = { metric: Metric.optional(), gpu: z.number().int().min(0).max(15).optional() };
const text = z.string().min(1).max(2000);
const milliseconds = z.number().int().min(1).max(600_000);

/** Parameters of faults that stay until they are cleared or their time is over. */
const LASTING = {
  "drain-stuck": z.strictObject({}),
  "update-fails": z.strictObject({ exitCode: z.number().int().min(1).max(125).default(1) }),
  "update-slow": z.strictObject({ seconds: z.number().positive() }),
  "reboot-never-returns": z.strictObject({}),
  "driver-old": z.strictObject({}),
  "gpu-missing": z.strictObject({ gpus: z.number().int().min(1).max(16).default(1) }),
  "series-absent": z.strictObject(series),
  "series-nan": z.strictObject(series),
  "series-stale": z.strictObject(series),
  "series-wrong-label": z.strictObject({ ...series, hostname: text.default("dcgm-exporter-x7k2p") }),
  "series-sentinel": z.strictObject({ ...series, value: z.string().default("9223372036854775794") }),
  "series-value": z.strictObject({ ...series, metric: Metric, value: z.string() }),
  "target-down": z.strictObject({}),
  "all-reduce-slow": z.strictObject({ percent: z.number().positive().max(100).default(17) }),
  "wrong-output": z.strictObject({ wrong: z.number().int().positive().default(18), exitCode: z.number().int().min(0).max(125).default(0) }),
  "job-requeued": z.strictObject({}),
  "scheduler-down": z.strictObject({}),
  "scheduler-slow": z.strictObject({ milliseconds }),
  "scheduler-errors-200": z.strictObject({}),
  "prometheus-down": z.strictObject({}),
  "prometheus-slow": z.strictObject({ milliseconds }),
  "ssh-hangs": z.strictObject({}),
  "ssh-refuses": z.strictObject({}),
  "host-key-changes": z.strictObject({}),
  "dcgm-not-run": z.strictObject({}),
  "dcgm-fails": z.strictObject({ gpu: z.number().int().min(0).max(15).default(0) }),
  "reservation-refused": z.strictObject({ message: text.default("Requested nodes are busy") }),
} as const;

/** Parameters of faults that happen once, at once. */
const SUDDEN = {
  "foreign-drain": z.strictObject({ reason: text, user: text.default("hweiss") }),
  "foreign-reason-change": z.strictObject({ reason: text, user: text.default("hweiss") }),
  "foreign-resume": z.strictObject({ user: text.default("hweiss") }),
  "new-node": z.strictObject({ leaf: text.optional(), like: text.optional() }),
  "node-vanishes": z.strictObject({}),
  "node-down": z.strictObject({}),
  "node-up": z.strictObject({}),
  "user-job": z.strictObject({
    user: text.default("tkim"),
    name: text.default("user-job"),
    minutes: z.union([z.number().positive(), z.literal("unlimited")]),
  }),
} as const;

type LastingFault = keyof typeof LASTING;
type SuddenFault = keyof typeof SUDDEN;
type Params<T extends Record<string, z.ZodType>> = { [K in keyof T]: { readonly kind: K; readonly params: z.infer<T[K]> } }[keyof T];
export type LastingSetting = Params<typeof LASTING>;
export type SuddenSetting = Params<typeof SUDDEN>;

export const LASTING_NAMES = Object.keys(LASTING) as LastingFault[];
export const SUDDEN_NAMES = Object.keys(SUDDEN) as SuddenFault[];
/** Faults that name no node. `prometheus-*` may also leave the cluster out. */
export const CLUSTER_WIDE: readonly string[] = [
  "scheduler-down",
  "scheduler-slow",
  "scheduler-errors-200",
  "prometheus-down",
  "prometheus-slow",
];

export type Fault = LastingSetting & {
  readonly id: number;
  readonly cluster: string | null;
  /** null: every node of the cluster. */
  readonly node: string | null;
  readonly since: number;
  readonly until: number | null;
};

/** The parameters of a fault, checked; a text says what is wrong with them. */
export function readSetting(kind: string, params: unknown): LastingSetting | SuddenSetting | string {
  const schema = (LASTING as Record<string, z.ZodType>)[kind] ?? (SUDDEN as Record<string, z.ZodType>)[kind];
  if (schema === undefined) return `unknown fault "${kind}"`;
  const parsed = schema.safeParse(params);
  if (!parsed.success) return parsed.error.issues.map((i) => `${i.path.join(".") || "body"}: ${i.message}`).join("; ");
  return { kind, params: parsed.data } as LastingSetting | SuddenSetting; // checked just above by that kind's own schema
}

export const isLasting = (setting: LastingSetting | SuddenSetting): setting is LastingSetting => setting.kind in LASTING;

/** The fault that applies to this node or cluster, newest first. */
export function findFault<K extends LastingFault>(
  faults: readonly Fault[],
  kind: K,
  at: { readonly cluster: string; readonly node?: string },
): Extract<Fault, { kind: K }> | undefined {
  return faults.findLast(
    (f): f is Extract<Fault, { kind: K }> =>
      f.kind === kind && (f.cluster === null || f.cluster === at.cluster) && (f.node === null || f.node === at.node),
  );
}
