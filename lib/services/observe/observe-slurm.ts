import { storableText } from "@/lib/core/kernel/storable-text";
import { serviceText, type ServiceValue } from "@/lib/core/node/service-observation";
import type { ScheduledJob, ScheduledNode } from "@/lib/ports/scheduler";
import type { NewEvidence, NewObservation, SeenBoot, SubjectView } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { evidenceOf } from "../perform/evidence-of";

const SOURCE = "slurm";

/**
 * One list of nodes and one of jobs serve every change of the cluster (MODEL 5.5). A node that a complete list leaves out is absent; a failed
 * or partial answer confirms nothing and makes nobody absent.
 */
export async function observeSlurm(deps: Deps, world: ClusterWorld, clusterId: string): Promise<void> {
  const startedAt = await deps.clock.now();
  const subjects = (await deps.store.subjects(clusterId)).filter((subject) => subject.kind === "node");
  const [nodes, jobs] = await Promise.all([world.scheduler.listNodes(), world.scheduler.listJobs()]);
  const failure = nodes.ok ? (jobs.ok ? null : jobs.error) : nodes.error;
  if (!nodes.ok || !jobs.ok || failure !== null) {
    await deps.store.failRead(clusterId, SOURCE, startedAt, failure?.because ?? "no answer");
    return;
  }
  const before = await deps.store.latest(clusterId, SOURCE);
  const listed = new Map(nodes.value.entries.map((node) => [node.name, node]));
  const jobsOn = activeJobs(jobs.value.entries);
  const request = `${nodes.value.request}; ${jobs.value.request}; answer ${nodes.value.digest}`;
  const evidence: NewEvidence[] = [];
  const observations: NewObservation[] = [];
  const boots: SeenBoot[] = [];
  for (const subject of subjects) {
    const node = listed.get(subject.name);
    const value = node === undefined ? null : serviceValue(node, jobsOn.get(subject.name) ?? []);
    const text = value === null ? null : storableText(serviceText(value));
    if (node?.bootedAt) boots.push({ subjectId: subject.subjectId, bootId: null, bootedAt: node.bootedAt });
    const was = before.get(`${subject.subjectId}/service/none/${SOURCE}`);
    if (was !== undefined && was.text === text && was.kind === (value === null ? "absent" : "value")) continue;
    const raw = node === undefined ? null : evidenceOf(deps.hash, new TextEncoder().encode(node.raw), "application/json");
    if (raw !== null) evidence.push(raw);
    observations.push(toObservation(subject, { value, text, request, startedAt, evidenceSha: raw?.sha256 ?? null }));
  }
  await deps.store.recordRead({
    clusterId,
    source: SOURCE,
    startedAt,
    complete: true,
    listed: listed.size,
    evidence,
    observations,
    boots,
    nextInMs: 0,
  });
}

const serviceValue = (node: ScheduledNode, jobs: readonly ScheduledJob[]): ServiceValue => ({
  state: node.state,
  words: [...node.words],
  reason: node.reason,
  reasonAt: node.reasonAt?.toISOString() ?? null,
  reservation: node.reservation,
  jobs: jobs.map((job) => ({ id: job.id, user: job.user, endsAt: job.endsAt instanceof Date ? job.endsAt.toISOString() : "no_limit" })),
});

/** Jobs in any state that may hold a node, by node: running, completing with its epilog, suspended, configuring (R9.5). */
function activeJobs(jobs: readonly ScheduledJob[]): ReadonlyMap<string, readonly ScheduledJob[]> {
  const on = new Map<string, ScheduledJob[]>();
  for (const job of jobs) {
    if (job.phase !== "active") continue;
    for (const node of job.nodes) on.set(node, [...(on.get(node) ?? []), job]);
  }
  return on;
}

function toObservation(
  subject: SubjectView,
  seen: {
    readonly value: ServiceValue | null;
    readonly text: string | null;
    readonly request: string;
    readonly startedAt: Date;
    readonly evidenceSha: NewObservation["evidenceSha"];
  },
): NewObservation {
  return {
    subjectId: subject.subjectId,
    field: "service",
    component: "none",
    source: SOURCE,
    kind: seen.value === null ? "absent" : "value",
    text: seen.text,
    value: seen.value,
    hostEpoch: subject.hostEpoch,
    modelEpoch: subject.modelEpoch,
    observedAt: seen.startedAt,
    request: seen.request,
    observer: "observe slurm",
    evidenceSha: seen.evidenceSha,
    changeId: null,
  };
}
