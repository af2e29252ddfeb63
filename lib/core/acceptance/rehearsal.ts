import { z } from "zod";
import { err, ok, type Result } from "@/lib/core/kernel/result";

/** What a finished rehearsal proves for a real change (R4.6). JSON column `rehearsal_links.finding`. */
export const RehearsalFinding = z.strictObject({
  text: z.string(),
  endedAt: z.string(),
  type: z.string(),
  classes: z.array(z.string()),
  targetVersion: z.string(),
  /** SHA-256 of the canonical validate list, and of the update and rollback commands: what "same" compares (R7.5). */
  validateSha: z.string(),
  commandsSha: z.string(),
  /** recovery only: measured from rolling_back to rolled_back, per node. */
  recoveryMs: z.number().nullable(),
});
export type RehearsalFinding = z.infer<typeof RehearsalFinding>;

/** What a profile wants a rehearsal to have had in common with the plan, and how old it may be (R7.5). */
type RehearsalNeeds = {
  readonly same: readonly ("type" | "class" | "validate" | "commands" | "target_version")[];
  readonly maxAgeDays: number | null;
};
export type RehearsedPlan = {
  readonly type: string;
  readonly classLabel: string;
  readonly targetVersion: string;
  readonly validateSha: string;
  readonly commandsSha: string;
};
const DAY_MS = 24 * 3600_000;

/** Whether a linked rehearsal still proves something for this plan and class; the refusal names the first thing that differs. */
export function doesRehearse(
  finding: RehearsalFinding,
  needs: RehearsalNeeds,
  plan: RehearsedPlan,
  now: Date,
): Result<{ readonly endedAt: Date }, { readonly because: string }> {
  if (finding.type !== plan.type) return err({ because: `it rehearsed ${finding.type}, this is ${plan.type}` });
  for (const what of needs.same) {
    const difference = differs(what, finding, plan);
    if (difference !== null) return err({ because: difference });
  }
  const endedAt = new Date(finding.endedAt);
  const ageMs = now.getTime() - endedAt.getTime();
  if (!Number.isFinite(ageMs) || ageMs < 0) return err({ because: "its end is not in the past" });
  if (needs.maxAgeDays !== null && ageMs > needs.maxAgeDays * DAY_MS)
    return err({ because: `it ended ${Math.floor(ageMs / DAY_MS)} days ago, at most ${needs.maxAgeDays} count` });
  return ok({ endedAt });
}

function differs(what: RehearsalNeeds["same"][number], finding: RehearsalFinding, plan: RehearsedPlan): string | null {
  switch (what) {
    case "type":
      return null;
    case "class":
      return finding.classes.includes(plan.classLabel) ? null : `it ran on ${finding.classes.join(", ")}, not on ${plan.classLabel}`;
    case "validate":
      return finding.validateSha === plan.validateSha ? null : "its validate list differs";
    case "commands":
      return finding.commandsSha === plan.commandsSha ? null : "its update or rollback commands differ";
    case "target_version":
      return finding.targetVersion === plan.targetVersion ? null : `it rehearsed ${finding.targetVersion}, not ${plan.targetVersion}`;
  }
}
