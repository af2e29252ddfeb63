import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import type { ClassId } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { Plan } from "@/lib/core/plan/plan";
import { newestReport } from "./class-in-play";
import { decisionsOf } from "./decision-rules";
import type { Reason } from "./reason";
import { signOffOf } from "./sign-off-rules";
import type { Snapshot } from "./snapshot";

/** What can never change once a node was touched: it would be another change. */
const FIXED = {
  cluster: (p: Plan) => p.cluster,
  type: (p: Plan) => p.type,
  "target version": (p: Plan) => [p.target.version, p.target.image, p.target.hostProof],
  "acceptance job": (p: Plan) => p.acceptance,
  "update commands": (p: Plan) => p.update,
} as const satisfies Record<string, (plan: Plan) => unknown>;

/** How nodes are judged: may only change once the canaries judged by it are voided. */
const JUDGING = {
  validate: (p: Plan) => p.validate,
  telemetry: (p: Plan) => p.telemetry,
} as const satisfies Record<string, (plan: Plan) => unknown>;

/**
 * Whether an edit may replace the plan (MODEL 4.3): freely before the first touch; afterwards only under a hold, with everything fixed that was begun
 * on, and with other limits only after `void-canary` of every class they judge (S3).
 */
export function mayReplan(s: Snapshot, next: Plan, now: Date): Result<null, Reason> {
  if (next.cluster !== s.plan.cluster)
    return err({ code: "widens", what: "another cluster is another change", next: "create a new change" });
  if (s.change.startedAt === null) return ok(null);
  for (const [name, part] of Object.entries(FIXED))
    if (differs(part, s.plan, next))
      return err({ code: "widens", what: `the ${name} is fixed once a node was touched`, next: "create a new change" });
  const judged = s.classes.filter((c) => isJudged(s, c.id, now));
  for (const [name, part] of Object.entries(JUDGING))
    if (judged.length > 0 && differs(part, s.plan, next))
      return err({
        code: "widens",
        what: `${name} judges the canary of ${judged.map((c) => c.label).join(", ")}, which has begun`,
        next: "narrow the limits instead, or void the canary first",
      });
  return ok(null);
}

const differs = (part: (plan: Plan) => unknown, a: Plan, b: Plan): boolean => canonicalJson(part(a)) !== canonicalJson(part(b));

/** Its canary has begun and was not voided since. */
function isJudged(s: Snapshot, classId: ClassId, now: Date): boolean {
  const begun = s.targets.some((t) => t.classId === classId && t.role === "canary" && t.updateBegan && t.step !== "rolled_back");
  const report = newestReport(s, classId);
  const voided = report !== null && signOffOf(s, classId, now) === null && decisionsOf(s, "canary_void", report.id).some((d) => !d.revoked);
  return begun && !voided;
}
