/** The accelerators of a node: how many answer, and their serial identities, which survive reboots. */
import { uuidFrom } from "./chance";
import { findFault } from "./faults";
import type { NodeState, WorldState } from "./state";

export function gpusPresent(state: WorldState, node: NodeState): number {
  const missing = findFault(state.faults, "gpu-missing", { cluster: node.cluster, node: node.name })?.params.gpus ?? 0;
  return Math.max(0, node.hardware.gpus - missing);
}

const uuids = new Map<string, string>();

export function gpuUuid(node: NodeState, gpu: number): string {
  const key = `${node.cluster}/${node.name}/gpu${gpu}`;
  const known = uuids.get(key) ?? `GPU-${uuidFrom(key)}`; // the same text gives the same one; only kept because it is asked for thousands of times
  uuids.set(key, known);
  return known;
}
