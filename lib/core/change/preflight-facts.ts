import type { Judged } from "@/lib/core/check/verdict";
import type { ObservationId } from "@/lib/core/kernel/ids";
import { isLeftOut } from "./class-in-play";
import type { Policy } from "./policy";
import { failed, passed, unresolved } from "./preflight-judged";
import type { Snapshot, SourceView } from "./snapshot";
import type { Target } from "./target";

const SCHEDULERS = ["slurm", "kubernetes"];
/** A list may be this many of the site's own limits old before the row waits for the next one: between decisions it is read once a minute. */
const LIST_AGES = 2;

/** The scheduler answered completely and recently; a failed read after that leaves the row unresolved with the source's own words. */
export function judgeScheduler(s: Snapshot, policy: Policy, now: Date): Judged | null {
  const source = schedulerOf(s);
  if (source === undefined) return unresolved("no_data", "no scheduler is configured for this cluster");
  if (source.failedAt !== null && (source.confirmsAt === null || source.failedAt > source.confirmsAt))
    return unresolved("tool_error", `${source.source} does not answer: ${source.reason ?? "no reason given"}`);
  if (!isFresh(source, policy, now)) return null;
  return passed(`${source.source} answered completely`, { source: source.source, confirmsAt: source.confirmsAt });
}

/** Nodes that are down or drained by others are withheld, not failed (R8.1): named here. A node in another change's hands closes the row. */
export function judgeNodes(s: Snapshot, policy: Policy, now: Date): Judged | null {
  const fresh = freshOrNull(s, policy, now);
  if (fresh === null) return null;
  const out = ours(s).flatMap((t) => s.others.filter((o) => o.name === t.name));
  const taken = out.filter((o) => o.because === "other_change" || o.because === "lent");
  if (taken.length > 0) return failed(`${names(taken)} ${taken.length === 1 ? "is" : "are"} in another change's hands`);
  const total = ours(s).length;
  if (total === 0) return failed("no node is left in this change");
  if (out.length === total) return failed(`none of ${total} nodes is healthy and free: ${names(out)}`, { expected: total, seen: 0 });
  const text =
    out.length === 0
      ? `${total} of ${total} nodes`
      : `${total - out.length} of ${total} nodes; withheld will be ${out.map((o) => `${o.name} (${o.because.replaceAll("_", " ")})`).join(", ")}`;
  return passed(text, { nodes: ours(s).map((t) => t.name), out, confirmsAt: fresh.confirmsAt });
}

/** A node without a leaf cannot be planned under the leaf rule (R5.6); nobody waives that. */
export function judgeTopology(s: Snapshot): Judged | null {
  if (!s.cluster.hasTopology) return failed("the cluster has no topology source, and the plan does not say that no leaf rule applies");
  const without = ours(s).filter((t) => t.leaves.length === 0);
  if (without.length > 0) return failed(`${names(without)} ${without.length === 1 ? "has" : "have"} no leaf in the topology`);
  return passed(`${ours(s).length} nodes with their leaves`, { leaves: Object.fromEntries(ours(s).map((t) => [t.name, t.leaves])) });
}

/** Every node that can go out answers every required series, with all its entities; a node without one is named (R2.2, R2.3). */
export function judgeTelemetry(s: Snapshot): Judged | null {
  const nodes = ours(s).filter((t) => !s.others.some((o) => o.name === t.name));
  const seen: ObservationId[] = [];
  const short: string[] = [];
  const silent: string[] = [];
  for (const spec of s.plan.telemetry)
    for (const t of nodes) {
      const read = t.series[spec.name]?.now ?? null;
      if (read === null) silent.push(t.name);
      else if (read.error !== null) short.push(`${spec.name} on ${t.name}: ${read.error}`);
      else if (read.samples.length < spec.seriesPerNode)
        short.push(`${spec.name} on ${t.name}: ${read.samples.length} of ${spec.seriesPerNode} series`);
      else if (read.observationId !== undefined) seen.push(read.observationId as ObservationId);
    }
  if (short.length > 0) return unresolved("too_few", short.slice(0, 6).join("; ") + more(short.length));
  if (silent.length > 0 || nodes.length === 0) return null;
  return passed(
    `${s.plan.telemetry.length} series on ${nodes.length} nodes`,
    { nodes: nodes.map((t) => t.name), names: s.plan.telemetry.map((x) => x.name) },
    seen,
  );
}

/** Names what runs where and until when; nothing of it fails the row, because Clearance waits for jobs (R9.5). Unknown stays unknown. */
export function judgeJobs(s: Snapshot, policy: Policy, now: Date): Judged | null {
  if (freshOrNull(s, policy, now) === null) return null;
  const cites: ObservationId[] = [];
  const busy: string[] = [];
  for (const t of ours(s)) {
    const known = t.service;
    if (known.is === "unknown") return null;
    cites.push(...known.cites);
    for (const job of known.value.jobs)
      busy.push(`${job.id} of ${job.user} on ${t.name} until ${job.endsAt === "no_limit" ? "no limit" : job.endsAt.toISOString()}`);
  }
  const text = busy.length === 0 ? "no job runs on the nodes" : `${busy.length} jobs: ${busy.slice(0, 6).join("; ")}${more(busy.length)}`;
  return passed(text, { busy }, cites);
}

const ours = (s: Snapshot): readonly Target[] => s.targets.filter((t) => !isLeftOut(t));
const schedulerOf = (s: Snapshot): SourceView | undefined => s.sources.find((x) => SCHEDULERS.includes(x.source));
const isFresh = (source: SourceView, policy: Policy, now: Date): boolean =>
  source.confirmsAt !== null && now.getTime() - source.confirmsAt.getTime() <= LIST_AGES * policy.serviceMaxAgeMs;
const freshOrNull = (s: Snapshot, policy: Policy, now: Date): SourceView | null => {
  const source = schedulerOf(s);
  return source !== undefined && isFresh(source, policy, now) ? source : null;
};
const names = (list: readonly { readonly name: string }[]): string =>
  list
    .slice(0, 6)
    .map((x) => x.name)
    .join(", ") + more(list.length);
const more = (count: number): string => (count > 6 ? ` and ${count - 6} more` : "");
