import type { RehearsalFinding } from "@/lib/core/acceptance/rehearsal";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { CommandView } from "./command";
import type { Snapshot } from "./snapshot";

/**
 * What a finished rehearsal proves, read from its record (R4.6). failure: a check failed on a node, its output and verdict were kept, and no batch
 * after the failed one was begun before somebody decided. recovery: a node came back on the old version, measured.
 */
export function rehearsalFinding(s: Snapshot, kind: "failure" | "recovery"): Result<RehearsalFinding, { readonly because: string }> {
  if (s.change.endedAt === null) return err({ because: `${s.change.id} has not ended` });
  if (!s.cluster.disposable) return err({ because: `${s.change.id} ran on ${s.cluster.id}, which is not disposable` });
  const found = kind === "failure" ? failureOf(s) : recoveryOf(s);
  if (!found.ok) return found;
  return ok({
    ...found.value,
    endedAt: s.change.endedAt.toISOString(),
    type: s.change.type,
    classes: s.classes.map((c) => c.label),
    targetVersion: s.change.goal.text,
    validateSha: s.change.validateSha,
    commandsSha: s.change.commandsSha,
  });
}

type Found = Result<Pick<RehearsalFinding, "text" | "recoveryMs">, { readonly because: string }>;

function failureOf(s: Snapshot): Found {
  const decision = s.decisions.find((d) => d.kind === "failed_batch" || (d.kind === "rejection" && d.on.what === "report"));
  const failed = s.checks.find((c) => c.verdict === "fail" && c.gate !== "preflight");
  if (s.rollback.failedBatches === 0 && failed === undefined) return err({ because: `nothing failed in ${s.change.id}` });
  if (decision === undefined) return err({ because: `nobody decided on the failure in ${s.change.id}` });
  return ok({ text: "failure recognised and blocked", recoveryMs: null });
}

/** From the first rollback command to the end of the pass, the longest over the nodes that came back. */
function recoveryOf(s: Snapshot): Found {
  const back = s.targets.filter(
    (t) =>
      t.step === "rolled_back" || s.commands.some((c) => c.targetId === t.id && c.kind === "start_rollback" && c.state === "succeeded"),
  );
  const times = back.flatMap((t) => {
    const of = s.commands.filter((c) => c.targetId === t.id && c.kind === "start_rollback");
    const begun = earliest(of);
    return begun === null ? [] : [Math.max(0, lastEnd(s, t.id, begun).getTime() - begun.getTime())];
  });
  if (!back.some((t) => t.step === "rolled_back")) return err({ because: `no node came back on the old version in ${s.change.id}` });
  if (times.length === 0) return err({ because: `how long it took to come back was not measured in ${s.change.id}` });
  const longest = Math.max(...times);
  return ok({ text: `recovery measured: ${Math.ceil(longest / 60_000)} min`, recoveryMs: longest });
}

const earliest = (commands: readonly CommandView[]): Date | null =>
  commands.reduce<Date | null>((first, c) => (c.startedAt !== null && (first === null || c.startedAt < first) ? c.startedAt : first), null);
const lastEnd = (s: Snapshot, targetId: string, from: Date): Date =>
  s.commands
    .filter((c) => c.targetId === targetId)
    .reduce((last, c) => (c.finishedAt !== null && c.finishedAt > last ? c.finishedAt : last), from);
