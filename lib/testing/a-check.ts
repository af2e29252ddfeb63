import type { CheckView } from "@/lib/core/change/snapshot";
import { PREFLIGHT_ROWS } from "@/lib/core/check/spec";
import type { CheckId, TargetId } from "@/lib/core/kernel/ids";
import { at } from "./a-moment";

/** A passed command check of gpu001; give `verdict: "unresolved"` and the like for others. */
export const aCheck = (overrides: Partial<CheckView> = {}): CheckView => {
  const check: CheckView = {
    id: "" as CheckId,
    gate: "batches",
    targetId: "t1" as TargetId,
    batch: null,
    classId: null,
    generation: 1,
    name: "driver version",
    verdict: "pass",
    because: "every GPU reports 570.172.08",
    scope: "node",
    members: [],
    settlesAt: null,
    dueAt: null,
    waivable: true,
    waivedUntil: null,
    reason: "as_expected",
    judgedAt: at(-10),
    spec: {
      kind: "command",
      run: "nvidia-smi --query-gpu=driver_version --format=csv,noheader",
      on: "node",
      parser: "nvidia-smi",
      expect: { every: "570.172.08" },
      baseline: null,
      groupSize: null,
      timeoutMs: 300_000,
      gpus: 8,
    },
    ...overrides,
  };
  const about = check.targetId ?? check.batch ?? check.classId ?? "change";
  return { ...check, id: overrides.id ?? (`chg-1/${check.gate}/${about}/${check.generation}/${check.name}` as CheckId) };
};

/** Every preflight row, passed an hour ago. */
export const aPreflight = (overrides: Partial<CheckView> = {}): readonly CheckView[] =>
  PREFLIGHT_ROWS.map((row) =>
    aCheck({
      gate: "preflight",
      scope: "change",
      targetId: null,
      name: row,
      because: "as it should be",
      waivable: false,
      spec: { kind: "preflight", row },
      judgedAt: at(-55),
      ...overrides,
    }),
  );
