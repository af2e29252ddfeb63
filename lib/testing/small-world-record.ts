import type { CommandView } from "@/lib/core/change/command";
import type { Move } from "@/lib/core/change/move";
import type { LockedJob, ReportView, Snapshot } from "@/lib/core/change/snapshot";
import type { Run } from "@/lib/core/acceptance/run";
import { aHash } from "./a-hash";
import { aBaseline } from "./a-job";

const BUCKET = 8 * 1024 ** 3;

/** What a store adds for moves that a look itself needs no more: frozen reports, captured baselines. */
export function keep(s: Snapshot, moves: readonly Move[], now: Date): Snapshot {
  return moves.reduce((record: Snapshot, m): Snapshot => {
    if (m.move === "report") {
      const { classId, number } = m.report;
      const id = `report-${classId}-${number}`;
      const view: ReportView = { id, classId, number, body: m.report, fingerprint: aHash(id), createdAt: now };
      return { ...record, reports: [...record.reports, view] };
    }
    if (m.move !== "baseline") return record;
    const captured = (j: LockedJob): LockedJob => (j.classId === m.classId ? { ...j, baseline: aBaseline({ capturedAt: now }) } : j);
    return { ...record, jobs: record.jobs.map(captured) };
  }, s);
}

/** The run of a finished acceptance command, as fast as the baseline of the builders and correct; null for plain checks. */
export function runOf(c: CommandView, now: Date, exitCode: number): Run | null {
  if (c.request.kind !== "start_run" || c.request.job === null) return null;
  const { node, nodes, job } = c.request;
  return {
    id: `run/${c.key}`,
    jobId: job.id,
    classId: 1,
    node,
    purpose: job.purpose,
    repeat: job.repeat,
    commandKey: c.key,
    startedAt: now,
    finishedAt: now,
    hostEpoch: 1,
    context: { node, nodes: [...nodes], ranks: 8, sizes: [], versions: { nccl: "2.21.5" } },
    execution: { exitCode, signal: null, requeues: 0, wallMs: 60_000, throughScheduler: job.reservation !== null },
    output: { sha256: aHash("out"), correct: "correct", because: "0 wrong values" },
    inputSha: aHash("input"),
    appVersion: "nccl-tests 2.19.6",
    evidenceSha: aHash("out"),
    measurements: [{ metric: "busbw", bucket: BUCKET, placement: "out-of-place", value: 458.2, unit: "GB/s" }],
  };
}
