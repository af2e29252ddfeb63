import { BaselineSummary, type Baseline } from "@/lib/core/acceptance/baseline";
import { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import { RehearsalFinding } from "@/lib/core/acceptance/rehearsal";
import type { AcceptanceReport } from "@/lib/core/acceptance/report";
import { RunContext, RunExecution, RunOutput, type Run, type RunMeasurement, type RunPurpose } from "@/lib/core/acceptance/run";
import { SecondReadingDifference } from "@/lib/core/acceptance/second-reading";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { ClassId, PersonId, Sha256 } from "@/lib/core/kernel/ids";
import { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import { rows } from "../database";
import { reviveInstants, type Loading } from "./loading";

type Acceptance = Pick<Snapshot, "classes" | "jobs" | "available" | "runs" | "reports" | "readings" | "rehearsals" | "readingAsked">;

export async function loadAcceptance(l: Loading, revision: number, type: string): Promise<Acceptance> {
  const classes = await loadClasses(l);
  const baselines = await loadBaselines(
    l,
    classes.map((one) => one.id),
  );
  return {
    classes,
    jobs: await loadJobs(l, revision, baselines),
    available: await loadAvailable(l, classes, baselines),
    runs: await loadRuns(l),
    reports: await loadReports(l),
    readings: await loadReadings(l),
    rehearsals: await loadRehearsals(l),
    readingAsked: await isReadingAsked(l, type),
  };
}

async function loadClasses(l: Loading): Promise<Snapshot["classes"]> {
  const found = await rows<{ id: ClassId; label: string; facts: unknown; nodes: number }>(
    l.sql,
    `select k.id, k.label, k.facts, count(*)::int as nodes from targets t join node_classes k on k.id = t.class_id where t.change_id = $1 group by k.id order by k.label, k.id`,
    [l.changeId],
  );
  return found.map((one) => ({ ...one, facts: NodeClassFacts.parse(one.facts) }));
}

async function loadBaselines(l: Loading, classIds: readonly number[]): Promise<ReadonlyMap<string, Baseline>> {
  const found = await rows<BaselineRow>(
    l.sql,
    `select b.id, b.job_id, b.class_id, b.change_id, b.summary, b.captured_at, b.retired_at, encode(r.input_sha, 'hex') as input_sha, r.app_version
     from baselines b join lateral (select r.input_sha, r.app_version from baseline_runs br join runs r on r.id = br.run_id where br.baseline_id = b.id order by r.repeat, r.id limit 1) r on true
     where b.class_id = any($1) or b.id in (select baseline_id from change_jobs where change_id = $2) order by b.captured_at, b.id`,
    [classIds, l.changeId],
  );
  const views = found.map((b): readonly [string, Baseline] => [
    b.id,
    {
      id: b.id,
      jobId: b.job_id,
      classId: b.class_id,
      changeId: b.change_id,
      summary: BaselineSummary.parse(b.summary),
      inputSha: b.input_sha,
      appVersion: b.app_version,
      capturedAt: b.captured_at,
      retiredAt: b.retired_at,
    },
  ]);
  return new Map(views);
}
type BaselineRow = {
  id: string;
  job_id: string;
  class_id: number;
  change_id: string | null;
  summary: unknown;
  captured_at: Date;
  retired_at: Date | null;
  input_sha: string;
  app_version: string;
};

/** A captured baseline has no row to name when the job is locked: it is the newest that a canary of this change made for the class (R3.3). */
async function loadJobs(l: Loading, revision: number, baselines: ReadonlyMap<string, Baseline>): Promise<Snapshot["jobs"]> {
  const found = await rows<JobRow>(
    l.sql,
    `select cj.class_id, cj.job_id, j.spec, encode(j.fingerprint, 'hex') as fingerprint, cj.baseline_id, cj.capture, cj.locked_at, cj.locked_by_id
     from change_jobs cj join acceptance_jobs j on j.id = cj.job_id where cj.change_id = $1 and cj.revision = $2 order by cj.class_id`,
    [l.changeId, revision],
  );
  const captured = (job: JobRow): Baseline | null =>
    [...baselines.values()].filter((b) => b.changeId === l.changeId && b.classId === job.class_id && b.jobId === job.job_id).at(-1) ?? null;
  return found.map((job) => ({
    classId: job.class_id,
    jobId: job.job_id,
    spec: AcceptanceJobSpec.parse(job.spec),
    fingerprint: job.fingerprint,
    baseline: job.baseline_id === null ? (job.capture ? captured(job) : null) : (baselines.get(job.baseline_id) ?? null),
    capture: job.capture,
    lockedAt: job.locked_at,
    lockedById: job.locked_by_id,
  }));
}
type JobRow = {
  class_id: ClassId;
  job_id: string;
  spec: unknown;
  fingerprint: Sha256;
  baseline_id: string | null;
  capture: boolean;
  locked_at: Date;
  locked_by_id: PersonId;
};

async function loadAvailable(
  l: Loading,
  classes: Snapshot["classes"],
  baselines: ReadonlyMap<string, Baseline>,
): Promise<Snapshot["available"]> {
  const labels = classes.map((one) => one.label);
  const jobs = await rows<{ id: string; spec: unknown }>(
    l.sql,
    "select id, spec from acceptance_jobs where spec ->> 'class' = any($1) order by name, version",
    [labels],
  );
  const specs = jobs.map((job) => ({ jobId: job.id, spec: AcceptanceJobSpec.parse(job.spec) }));
  return classes.flatMap(({ id: classId, label }) =>
    specs
      .filter(({ spec }) => spec.class === label)
      .map(({ jobId, spec }) => ({
        classId,
        jobId,
        spec,
        baselines: [...baselines.values()].filter((b) => b.jobId === jobId && b.classId === classId && b.retiredAt === null),
      })),
  );
}

async function loadRuns(l: Loading): Promise<readonly Run[]> {
  const found = await rows<RunRow>(
    l.sql,
    `select r.id, r.job_id, r.class_id, s.name as node, r.purpose, r.repeat, r.command_key, r.started_at, r.finished_at, r.host_epoch, r.context, r.execution, r.output,
       encode(r.input_sha, 'hex') as input_sha, r.app_version, encode(r.evidence_sha, 'hex') as evidence_sha,
       (select coalesce(json_agg(json_build_object('metric', m.metric, 'bucket', m.bucket, 'placement', m.placement, 'value', m.value, 'unit', m.unit)
         order by m.metric, m.bucket, m.placement), '[]') from measurements m where m.run_id = r.id) as measurements
     from runs r join subjects s on s.id = r.subject_id where r.change_id = $1 order by r.started_at, r.id`,
    [l.changeId],
  );
  return found.map((r) => ({
    id: r.id,
    jobId: r.job_id,
    classId: r.class_id,
    node: r.node,
    purpose: r.purpose,
    repeat: r.repeat,
    commandKey: r.command_key,
    startedAt: r.started_at,
    finishedAt: r.finished_at,
    hostEpoch: r.host_epoch,
    context: RunContext.parse(r.context),
    execution: r.execution === null ? null : RunExecution.parse(r.execution),
    output: r.output === null ? null : RunOutput.parse(r.output),
    inputSha: r.input_sha,
    appVersion: r.app_version,
    evidenceSha: r.evidence_sha,
    measurements: r.measurements,
  }));
}
type RunRow = {
  id: string;
  job_id: string;
  class_id: number;
  node: string;
  purpose: RunPurpose;
  repeat: number;
  command_key: string | null;
  started_at: Date;
  finished_at: Date | null;
  host_epoch: number;
  context: unknown;
  execution: unknown;
  output: unknown;
  input_sha: string;
  app_version: string;
  evidence_sha: string | null;
  measurements: RunMeasurement[];
};

/** Names of the instants inside a report's configuration board. */
const INSTANTS = new Set(["at", "observedAt", "confirmedAt"]);

async function loadReports(l: Loading): Promise<Snapshot["reports"]> {
  const found = await rows<{
    id: string;
    class_id: ClassId;
    number: number;
    body: AcceptanceReport;
    fingerprint: Sha256;
    created_at: Date;
  }>(
    l.sql,
    "select id, class_id, number, body, encode(fingerprint, 'hex') as fingerprint, created_at from reports where change_id = $1 order by class_id, number",
    [l.changeId],
  );
  return found.map(({ class_id, created_at, body, ...r }) => ({
    ...r,
    classId: class_id,
    createdAt: created_at,
    body: reviveInstants(body, INSTANTS),
  }));
}

async function loadReadings(l: Loading): Promise<Snapshot["readings"]> {
  const found = await rows<{ id: string; report_id: string; reader_id: PersonId; differences: unknown; at: Date }>(
    l.sql,
    "select id, report_id, reader_id, differences, at from second_readings where change_id = $1 order by at, id",
    [l.changeId],
  );
  return found.map((r) => ({
    id: r.id,
    reportId: r.report_id,
    readerId: r.reader_id,
    differences: SecondReadingDifference.array().parse(r.differences),
    at: r.at,
  }));
}

async function loadRehearsals(l: Loading): Promise<Snapshot["rehearsals"]> {
  const found = await rows<{ rehearsal_id: string; kind: "failure" | "recovery"; finding: unknown; at: Date }>(
    l.sql,
    "select rehearsal_id, kind, finding, at from rehearsal_links where change_id = $1 order by at, rehearsal_id, kind",
    [l.changeId],
  );
  return found.map((r) => ({ rehearsalId: r.rehearsal_id, kind: r.kind, finding: RehearsalFinding.parse(r.finding), at: r.at }));
}

/** The type is new on this cluster, or its last reading found a difference (R7.5, profile low). */
async function isReadingAsked(l: Loading, type: string): Promise<boolean> {
  const [last] = await rows<{ differences: unknown[] }>(
    l.sql,
    `select r.differences from second_readings r join changes c on c.id = r.change_id
     where c.cluster_id = $1 and c.type = $2::maintenance_type and c.id <> $3 order by r.at desc limit 1`,
    [l.clusterId, type, l.changeId],
  );
  return last === undefined || last.differences.length > 0;
}
