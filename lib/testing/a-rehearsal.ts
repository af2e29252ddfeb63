import type { RehearsalFinding } from "@/lib/core/acceptance/rehearsal";
import type { RehearsalView } from "@/lib/core/change/snapshot";
import { aHash } from "./a-hash";
import { A_CLASS } from "./a-layout";
import { at } from "./a-moment";

export const aRehearsalFinding = (overrides: Partial<RehearsalFinding> = {}): RehearsalFinding => ({
  text: "failure recognised and blocked",
  endedAt: at(-20 * 24 * 60).toISOString(),
  type: "gpu_driver",
  classes: [A_CLASS],
  targetVersion: "570.172.08",
  validateSha: aHash("validate"),
  commandsSha: aHash("commands"),
  recoveryMs: null,
  ...overrides,
});

export const aRehearsalView = (kind: "failure" | "recovery", overrides: Partial<RehearsalView> = {}): RehearsalView => ({
  rehearsalId: `rehearsal-${kind}`,
  kind,
  finding: aRehearsalFinding(kind === "recovery" ? { text: "recovery measured: 14 min", recoveryMs: 14 * 60_000 } : {}),
  at: at(-19 * 24 * 60),
  ...overrides,
});
