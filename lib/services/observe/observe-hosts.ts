import type { Component } from "@/lib/core/config-state/observation";
import type { NewEvidence, NewObservation, SeenBoot, SubjectView } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { reportHost } from "../host-report";
import { toObservation } from "../perform/perform-probe";
import { unique } from "../perform/perform-save";

const SOURCE = "ssh";
const COMPONENTS: readonly Component[] = ["gpu_driver", "gpu_driver_library", "kernel"];
const ASK_TIMEOUT_MS = 10_000;
/** At most this many hosts a round, and then the slow round: 1 % of the nodes, at least one. */
const AT_ONCE = 8;

/** The slow inventory round: hosts that have never reported in their present boot first, then a few of the others in turn (MODEL 5.5). */
export async function observeHosts(deps: Deps, world: ClusterWorld, clusterId: string): Promise<void> {
  const startedAt = await deps.clock.now();
  const nodes = (await deps.store.subjects(clusterId)).filter((subject) => subject.kind === "node" && subject.role === "compute");
  const latest = await deps.store.latest(clusterId, SOURCE);
  const silent = nodes.filter((node) => latest.get(`${node.subjectId}/host_report/gpu_driver/${SOURCE}`)?.hostEpoch !== node.hostEpoch);
  const inTurn = turn(nodes, startedAt);
  const asked = [...new Set([...silent.slice(0, AT_ONCE), ...(silent.length > AT_ONCE ? [] : inTurn)])].slice(0, AT_ONCE);
  const reports = await Promise.all(asked.map((node) => askHost(deps, world, node, startedAt)));
  const evidence: NewEvidence[] = unique(reports.flatMap((report) => report.evidence));
  const observations = reports
    .flatMap((report) => report.observations)
    .filter((row) => {
      const was = latest.get(`${row.subjectId}/host_report/${row.component}/${SOURCE}`);
      return was === undefined || was.text !== row.text || was.kind !== row.kind || was.hostEpoch !== row.hostEpoch;
    });
  const boots = reports.flatMap((report) => report.boots);
  // Not a complete list: only what was asked is confirmed.
  await deps.store.recordRead({
    clusterId,
    source: SOURCE,
    startedAt,
    complete: false,
    listed: asked.length,
    evidence,
    observations,
    boots,
    nextInMs: silent.length > AT_ONCE ? 5_000 : 60_000,
  });
}

/** One hundredth of the nodes, moving on by the minute, so that each is asked again within about 100 minutes. */
function turn(nodes: readonly SubjectView[], now: Date): readonly SubjectView[] {
  if (nodes.length === 0) return [];
  const many = Math.max(1, Math.ceil(nodes.length / 100));
  const first = (Math.floor(now.getTime() / 60_000) * many) % nodes.length;
  return Array.from({ length: many }, (_, at) => nodes[(first + at) % nodes.length]).filter((node) => node !== undefined);
}

type Report = {
  readonly evidence: readonly NewEvidence[];
  readonly observations: readonly NewObservation[];
  readonly boots: readonly SeenBoot[];
};

async function askHost(deps: Deps, world: ClusterWorld, node: SubjectView, observedAt: Date): Promise<Report> {
  const bootId = await world.shell.bootId({ node: node.name });
  // A host that does not answer says nothing: what it said before stays, and grows old.
  if (!bootId.ok) return { evidence: [], observations: [], boots: [] };
  const reported = await reportHost({ shell: world.shell, hash: deps.hash }, node.name, COMPONENTS, ASK_TIMEOUT_MS);
  const again = await world.shell.bootId({ node: node.name });
  if (!again.ok || again.value !== bootId.value) return { evidence: [], observations: [], boots: [] };
  const command = { hostEpoch: node.hostEpoch, changeId: null };
  return {
    evidence: reported.flatMap((one) => (one.evidence === null ? [] : [one.evidence])),
    observations: reported.map((one) =>
      toObservation(one, { command, subjectId: node.subjectId, observedAt, observer: "inventory round" }),
    ),
    boots: [{ subjectId: node.subjectId, bootId: bootId.value, bootedAt: null }],
  };
}
