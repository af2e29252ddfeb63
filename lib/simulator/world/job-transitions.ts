/** What happens to jobs: submitted, started, ended, requeued. */
import type { Draft } from "./draft";
import { findFault } from "./faults";
import { expandHosts } from "./hostlist";
import { ended, jobsOf, type JobState, type JobStateWord } from "./state";

export type JobRequest = Partial<
  Pick<
    JobState,
    "account" | "partition" | "required" | "within" | "reservation" | "script" | "output" | "workDir" | "command" | "gres" | "stream"
  >
> &
  Pick<JobState, "name" | "user" | "nodeCount" | "limitS" | "runS">;

/** Appends a pending job and gives it back. */
export function newJob(draft: Draft, cluster: string, request: JobRequest): JobState {
  const id = draft.state.nextJobId[cluster] ?? 1;
  draft.state = { ...draft.state, nextJobId: { ...draft.state.nextJobId, [cluster]: id + 1 } };
  const job: JobState = {
    cluster,
    id,
    account: "",
    partition: defaultPartition(draft, cluster),
    required: [],
    within: null,
    reservation: null,
    script: null,
    output: "",
    workDir: `/home/${request.user}`,
    command: "",
    gres: "",
    stream: null,
    ...request,
    state: "PENDING",
    endState: null,
    pendingReason: { word: "None", text: "" },
    nodes: [],
    submitAt: draft.now,
    eligibleAt: draft.now,
    startAt: null,
    endAt: null,
    completingUntil: null,
    exitCode: 0,
    signal: 0,
    restarts: 0,
  };
  draft.putJob(job);
  return job;
}

/** Ends a job, now or at the instant that was due; a job that ran goes through its epilog first. */
export function endJob(draft: Draft, job: JobState, end: { state: JobStateWord; exitCode?: number; signal?: number; at?: number }): void {
  if (ended(job)) return;
  const endAt = end.at ?? draft.now;
  const outcome = { endState: null, exitCode: end.exitCode ?? 0, signal: end.signal ?? 0, endAt } as const;
  if (job.state === "PENDING") draft.putJob({ ...job, ...outcome, state: end.state, startAt: draft.now });
  else if (job.state === "RUNNING") {
    const epilogS = draft.state.description.steps.epilogS;
    draft.putJob({ ...job, ...outcome, state: "COMPLETING", endState: end.state, completingUntil: endAt + epilogS });
  }
}

/** Back to the queue, as Slurm does when a node is lost: it may start again after some seconds. */
export function requeueJob(draft: Draft, job: JobState): void {
  draft.putJob({
    ...job,
    state: "PENDING",
    pendingReason: { word: "BeginTime", text: "" },
    nodes: [],
    startAt: null,
    endAt: null,
    completingUntil: null,
    eligibleAt: draft.now + 5,
    restarts: job.restarts + 1,
  });
}

/** Ends what has reached its length or limit, and epilogs that are over. */
export function advanceJobs(draft: Draft): void {
  for (const job of Object.values(draft.state.jobs)) {
    if (job.state === "RUNNING" && job.startAt !== null) {
      const finishesAt = job.runS === null ? Infinity : job.startAt + job.runS;
      const limitAt = job.limitS === null ? Infinity : job.startAt + job.limitS;
      if (Math.min(finishesAt, limitAt) > draft.now) continue;
      if (finishesAt <= limitAt) endJob(draft, job, { state: "COMPLETED", at: finishesAt });
      else endJob(draft, job, { state: "TIMEOUT", signal: 15, at: limitAt });
    } else if (job.state === "COMPLETING" && (job.completingUntil ?? 0) <= draft.now && !epilogHangs(draft, job)) finishEpilog(draft, job);
    else if (ended(job) && (job.endAt ?? 0) + draft.state.description.steps.minJobAgeS < draft.now) draft.dropJob(job);
  }
}

function finishEpilog(draft: Draft, job: JobState): void {
  draft.putJob({ ...job, state: job.endState ?? "COMPLETED", endState: null, completingUntil: null });
  for (const name of job.nodes) {
    const node = draft.state.nodes[`${job.cluster}/${name}`];
    if (node !== undefined) draft.putNode({ ...node, lastBusyAt: draft.now });
  }
}

function epilogHangs(draft: Draft, job: JobState): boolean {
  return job.nodes.some((node) => findFault(draft.state.faults, "drain-stuck", { cluster: job.cluster, node }) !== undefined);
}

/** Keeps every stream's queue filled, so that a node which becomes free is used. */
export function feedStreams(draft: Draft): void {
  for (const cluster of draft.state.description.clusters) {
    const jobs = jobsOf(draft.state, cluster.name);
    for (const stream of cluster.streams) {
      const key = `${stream.user}/${stream.name}`;
      const waiting = jobs.filter((job) => job.stream === key && job.state === "PENDING").length;
      for (let i = waiting; i < stream.keepQueued; i++) {
        newJob(draft, cluster.name, {
          name: stream.name,
          user: stream.user,
          nodeCount: stream.nodesPerJob,
          limitS: stream.minutes * 120,
          runS: stream.minutes * 60,
          within: stream.within === undefined ? null : expandHosts(stream.within),
          stream: key,
        });
      }
    }
  }
}

function defaultPartition(draft: Draft, cluster: string): string {
  const partitions = draft.state.description.clusters.find((c) => c.name === cluster)?.partitions ?? [];
  return (partitions.find((p) => p.default) ?? partitions[0])?.name ?? "";
}
