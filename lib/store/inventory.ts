import { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import { NODE_STEPS, STEP_TRAITS } from "@/lib/core/change/step";
import { serviceOf, ServiceValue } from "@/lib/core/node/service-observation";
import type { ServiceState } from "@/lib/core/node/service";
import type { ChangeId, SubjectId } from "@/lib/core/kernel/ids";
import type { ClusterSetup, NodeView } from "@/lib/ports/rows";
import type { Store } from "@/lib/ports/store";
import { readOnly, rows, type Database } from "./database";

const HOLDING = NODE_STEPS.filter((step) => STEP_TRAITS[step].holdsSlot);

export const inventory = ({ pool }: Database): Pick<Store, "inventory" | "clusters"> => ({
  inventory: (clusterId) =>
    readOnly(pool, async (sql) => {
      const nodes = await rows<NodeRow>(sql, NODES, [clusterId, HOLDING]);
      const reported = await rows<ReportedRow>(
        sql,
        `select l.subject_id, l.field, l.component, l.text, l.source, l.observed_at, greatest(l.observed_at, r.confirms_at) as confirmed_at, o.value
         from latest_observations l join nodes n on n.id = l.subject_id left join source_reads r on r.cluster_id = n.cluster_id and r.source = l.source
           left join observations o on o.id = l.observation_id and l.field = 'service'
         where n.cluster_id = $1 and n.retired_at is null and l.field in ('host_report', 'service') order by l.observed_at`,
        [clusterId],
      );
      const bySubject = new Map<number, ReportedRow[]>();
      for (const one of reported) bySubject.set(one.subject_id, [...(bySubject.get(one.subject_id) ?? []), one]);
      return nodes.map((node) => viewOf(node, bySubject.get(node.id) ?? []));
    }),

  clusters: () =>
    readOnly(pool, async (sql) => {
      const found = await rows<ClusterRow>(
        sql,
        `select id, title, production, disposable, execution, timezone, policy, topology,
           (select count(*)::int from nodes n where n.cluster_id = c.id and n.retired_at is null) as nodes
         from clusters c where retired_at is null order by id`,
      );
      const reads = await rows<ReadRow>(sql, "select cluster_id, source, confirms_at, failed_at, reason from source_reads order by source");
      return found.map(({ topology, ...cluster }) => ({
        ...cluster,
        hasTopology: topology.is !== "none",
        noTopologyBecause: topology.is === "none" ? topology.because : null,
        reads: reads
          .filter((read) => read.cluster_id === cluster.id)
          .map((read) => ({ source: read.source, confirmsAt: read.confirms_at, failedAt: read.failed_at, reason: read.reason })),
      }));
    }),
});

const NODES = `select n.id, s.name, n.role, k.label, k.facts, n.gpu_count, n.hca_count, n.partitions, x.name as scale_set, n.service, n.service_since,
    (select json_agg(json_build_object('name', w.name, 'fabric', sw.fabric) order by w.name) from node_leaves l join switches sw on sw.id = l.leaf_id join subjects w on w.id = sw.id
      where l.node_id = n.id) as leaves, c.topology ->> 'is' as topology, t.change_id, t.step
  from nodes n join subjects s on s.id = n.id join node_classes k on k.id = n.class_id join clusters c on c.id = n.cluster_id left join subjects x on x.id = n.scale_set_id
    left join lateral (select t.change_id, t.step from targets t join changes ch on ch.id = t.change_id where t.subject_id = n.id and ch.ended_at is null
      order by (t.step = any($2::node_step[])) desc, ch.created_at desc limit 1) t on true
  where n.cluster_id = $1 and n.retired_at is null order by n.sort_name`;

function viewOf(node: NodeRow, rowsOfNode: readonly ReportedRow[]): NodeView {
  const service = rowsOfNode.filter((one) => one.field === "service").at(-1);
  const said = ServiceValue.safeParse(service?.value);
  const reported = rowsOfNode
    .filter((one) => one.field === "host_report" && one.text !== null)
    .map((one) => [one.component, { text: one.text ?? "", source: one.source, observedAt: one.observed_at }] as const);
  return {
    subjectId: node.id,
    name: node.name,
    role: node.role,
    classLabel: node.label,
    facts: NodeClassFacts.parse(node.facts),
    gpus: node.gpu_count,
    hcas: node.hca_count,
    leaves: node.leaves ?? (node.topology === "none" ? null : []),
    partitions: node.partitions,
    scaleSet: node.scale_set,
    service: node.service,
    serviceReason: said.success ? said.data.reason : null,
    serviceWords: said.success ? said.data.words : null,
    jobs: said.success ? serviceOf(said.data, "", null).jobs : [],
    serviceSince: node.service_since,
    serviceSeenAt: service?.confirmed_at ?? null,
    reported: Object.fromEntries(reported),
    changeId: node.change_id,
    step: node.step,
  };
}

type NodeRow = {
  id: SubjectId;
  name: string;
  role: string;
  label: string;
  facts: unknown;
  gpu_count: number;
  hca_count: number;
  partitions: string[];
  scale_set: string | null;
  service: ServiceState;
  service_since: Date;
  leaves: { name: string; fabric: string }[] | null;
  topology: string;
  change_id: ChangeId | null;
  step: string | null;
};
type ReportedRow = {
  subject_id: number;
  field: string;
  component: string;
  text: string | null;
  source: string;
  observed_at: Date;
  confirmed_at: Date;
  value: unknown;
};
type ClusterRow = Pick<ClusterSetup, "id" | "title" | "production" | "disposable" | "execution" | "timezone" | "policy" | "topology"> & {
  nodes: number;
};
type ReadRow = { cluster_id: string; source: string; confirms_at: Date | null; failed_at: Date | null; reason: string | null };
