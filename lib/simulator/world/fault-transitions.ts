/** Faults begin, end, or happen at once. */
import { assertNever } from "@/lib/core/kernel/result";

import type { ClusterDescription } from "./description";
import type { Draft } from "./draft";
import type { WorldEvent } from "./events";
import { isLasting, type SuddenSetting } from "./faults";
import { expandHosts } from "./hostlist";
import { newNode } from "./initial-state";
import { newJob } from "./job-transitions";
import { changeReason, drain, powerOff, powerOn, resume } from "./node-transitions";
import { REFUSALS, type Refusal } from "./refusal";
import type { NodeState } from "./state";

type SetFault = Extract<WorldEvent, { type: "set-fault" }>;

export function setFault(draft: Draft, event: SetFault): Refusal | string | null {
  const { cluster, node, setting, until } = event;
  if (isLasting(setting)) {
    const id = draft.state.nextFaultId;
    const faults = [...draft.state.faults, { ...setting, id, cluster, node, since: draft.now, until }];
    draft.state = { ...draft.state, faults, nextFaultId: id + 1 };
    return String(id);
  }
  if (cluster === null || node === null) return REFUSALS.invalidNode;
  if (setting.kind === "new-node") return addNode(draft, cluster, node, setting.params);
  const known = draft.state.nodes[`${cluster}/${node}`];
  return known === undefined ? REFUSALS.invalidNode : happen(draft, known, setting);
}

/** Clears what matches; a node that hangs in a boot starts again by itself. */
export function clearFault(draft: Draft, match: Extract<WorldEvent, { type: "clear-fault" }>): string {
  const cleared = draft.state.faults.filter(
    (fault) =>
      (match.kind === null || fault.kind === match.kind) &&
      (match.cluster === null || fault.cluster === match.cluster) &&
      (match.node === null || fault.node === match.node),
  );
  draft.state = { ...draft.state, faults: draft.state.faults.filter((fault) => !cleared.includes(fault)) };
  return String(cleared.length);
}

function happen(draft: Draft, node: NodeState, setting: Exclude<SuddenSetting, { kind: "new-node" }>): Refusal | string | null {
  switch (setting.kind) {
    case "foreign-drain":
      drain(draft, node, setting.params);
      return null;
    case "foreign-reason-change":
      changeReason(draft, node, setting.params);
      return null;
    case "foreign-resume":
      return resume(draft, node);
    case "node-vanishes":
      draft.dropNode(node);
      return null;
    case "node-down":
      powerOff(draft, node);
      return null;
    case "node-up":
      powerOn(draft, node);
      return null;
    case "user-job": {
      const { minutes, user, name } = setting.params;
      const [runS, limitS] = minutes === "unlimited" ? [null, null] : [minutes * 60, minutes * 60 + 60];
      return String(newJob(draft, node.cluster, { name, user, nodeCount: 1, required: [node.name], runS, limitS }).id);
    }
    default:
      return assertNever(setting);
  }
}

function addNode(draft: Draft, clusterName: string, name: string, params: { leaf?: string; like?: string }): Refusal | string {
  const cluster = draft.state.description.clusters.find((c) => c.name === clusterName);
  if (cluster === undefined || draft.state.nodes[`${clusterName}/${name}`] !== undefined) return REFUSALS.invalidNode;
  const group = cluster.nodes.find((g) => params.like !== undefined && expandHosts(g.names)?.includes(params.like)) ?? cluster.nodes[0];
  if (group === undefined) return REFUSALS.invalidNode;
  const grown: ClusterDescription = {
    ...cluster,
    partitions: cluster.partitions.map((p, i) => (i === 0 ? { ...p, nodes: `${p.nodes},${name}` } : p)),
    leaves: cluster.leaves.map((l) => (l.name === params.leaf ? { ...l, nodes: `${l.nodes},${name}` } : l)),
  };
  const clusters = draft.state.description.clusters.map((c) => (c === cluster ? grown : c));
  draft.state = { ...draft.state, description: { ...draft.state.description, clusters } };
  const node = newNode(grown, group, { name, now: draft.now, seed: draft.state.seed });
  draft.putNode({ ...node, bootedAt: draft.now, slurmdStartedAt: draft.now, lastBusyAt: draft.now });
  return name;
}
