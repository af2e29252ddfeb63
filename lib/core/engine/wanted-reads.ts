import type { Snapshot } from "@/lib/core/change/snapshot";
import { isInHand } from "@/lib/core/change/step";

/** Sources that this change waits for now and that should be read often; the others go by their idle rhythm (MODEL 5.5). */
export function wantedReads(s: Snapshot): readonly string[] {
  const inHand = s.targets.some((t) => isInHand(t.step) || t.step === "unresolved");
  const open = s.commands.some((c) => c.state === "started" && c.finishedAt === null);
  const preflight = s.change.state === "PREFLIGHT" || s.checks.some((c) => c.gate === "preflight" && c.verdict === null);
  const series = s.plan.telemetry.length > 0 && (inHand || preflight);
  return [...(inHand || preflight ? ["slurm"] : []), ...(open ? ["work"] : []), ...(series ? ["prometheus"] : [])];
}
