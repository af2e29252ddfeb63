/** What happens to nodes: drained, resumed, rebooted, updated, lost. Measured on Slurm 22.05 with ReturnToService=2. */
import { uuidFrom } from "./chance";
import type { Draft } from "./draft";
import { findFault } from "./faults";
import { endJob, requeueJob } from "./job-transitions";
import { REFUSALS, type Refusal } from "./refusal";
import { jobsOnNode, type NodeState, type Part } from "./state";

/** Overwrites an earlier drain's reason, user and time, as Slurm does. */
export function drain(draft: Draft, node: NodeState, by: { reason: string; user: string }): void {
  draft.putNode({ ...node, drained: true, reason: { text: by.reason, user: by.user, at: draft.now } });
}

/** DOWN kills or requeues the node's jobs at once. */
export function takeDown(draft: Draft, node: NodeState, by: { reason: string; user: string }): void {
  loseJobs(draft, node);
  draft.putNode({ ...node, down: true, reason: { text: by.reason, user: by.user, at: draft.now } });
}

export function resume(draft: Draft, node: NodeState): Refusal | null {
  if (!node.drained && !node.down) return REFUSALS.invalidNodeState;
  const respondsAt = draft.now + draft.state.description.steps.respondS;
  draft.putNode({ ...node, drained: false, down: false, reason: null, respondsAt, lastBusyAt: draft.now });
  return null;
}

/** `reason=` alone changes only a reason that is there. */
export function changeReason(draft: Draft, node: NodeState, by: { reason: string; user: string }): void {
  if (node.reason !== null || node.drained || node.down)
    draft.putNode({ ...node, reason: { text: by.reason, user: by.user, at: draft.now } });
}

export function orderReboot(
  draft: Draft,
  node: NodeState,
  order: { asap: boolean; nextState: "RESUME" | "DOWN" | null; reason: string | null; user: string },
): void {
  if (node.rebootOrder !== null) return; // a second identical order changes nothing and is no error
  const nextState = order.nextState ?? (order.asap ? "RESUME" : null);
  const text = order.reason ?? node.reason?.text ?? "reboot requested";
  draft.putNode({
    ...node,
    drained: node.drained || order.asap,
    reason: order.reason === null && node.reason !== null ? node.reason : { text, user: order.user, at: draft.now },
    rebootOrder: { phase: "requested", at: draft.now, asap: order.asap, nextState, wasDrained: node.drained },
  });
}

export function cancelReboot(draft: Draft, node: NodeState): Refusal | null {
  const order = node.rebootOrder;
  if (order === null || order.phase === "issued") return REFUSALS.invalidNodeState;
  draft.putNode({ ...node, rebootOrder: null, drained: order.wasDrained, reason: order.wasDrained ? node.reason : null });
  return null;
}

/** The machine itself goes off, whatever the scheduler thinks: `systemctl reboot`, a power cycle. */
export function powerCycle(draft: Draft, node: NodeState): void {
  loseJobs(draft, node);
  draft.putNode({ ...(draft.state.nodes[`${node.cluster}/${node.name}`] ?? node), power: switchedOff(draft, node), update: null });
}

export function powerOff(draft: Draft, node: NodeState): void {
  draft.putNode({ ...node, power: { on: false, since: draft.now, backAt: null, rebooting: false }, update: null });
}

/** Somebody presses the button of a node that was off. */
export function powerOn(draft: Draft, node: NodeState): void {
  if (!node.power.on)
    draft.putNode({ ...node, power: { ...node.power, rebooting: true, backAt: draft.now + draft.state.description.steps.bootS } });
}

export function beginUpdate(draft: Draft, node: NodeState, part: Part, version: string): Refusal | null {
  if (node.update !== null) return REFUSALS.installationRunning;
  draft.putNode({ ...node, update: { part, version, beganAt: draft.now } });
  return null;
}

/** A failed installation leaves the version that was there. */
export function endUpdate(draft: Draft, node: NodeState, succeeded: boolean): void {
  if (node.update === null) return;
  const { part, version } = node.update;
  const installed = succeeded && !staysOld(draft, node, part) ? version : node.versions[part].installed;
  draft.putNode({ ...node, update: null, versions: { ...node.versions, [part]: { ...node.versions[part], installed } } });
}

/** Moves reboots, boots and silences on. */
export function advanceNodes(draft: Draft): void {
  const steps = draft.state.description.steps;
  for (const node of Object.values(draft.state.nodes)) {
    const { power, rebootOrder: order } = node;
    if (power.on && order?.phase === "requested" && draft.now >= order.at + 1 && jobsOnNode(draft.state, node).length === 0)
      issueReboot(draft, node);
    else if (!power.on && power.backAt !== null && power.backAt <= draft.now) boot(draft, node, power.backAt);
    else if (!power.on && power.backAt === null && power.rebooting && !neverReturns(draft, node)) {
      draft.putNode({ ...node, power: { ...power, backAt: draft.now + steps.bootS } });
    } else if (!power.on && order?.phase === "issued" && order.at + steps.resumeTimeoutS <= draft.now && !node.down) {
      draft.putNode({ ...node, down: true, rebootOrder: null, reason: appended(node, draft.now, "reboot timed out") });
    } else if (!power.on && order === null && !node.down && power.since + steps.slurmdTimeoutS <= draft.now) {
      loseJobs(draft, node);
      draft.putNode({ ...node, down: true, reason: node.reason ?? { text: "Not responding", user: "slurm", at: draft.now } });
    }
  }
}

function issueReboot(draft: Draft, node: NodeState): void {
  const order = node.rebootOrder;
  if (order === null) return;
  const again = node.reason?.text.includes("reboot issued") === true; // a second order loses the first one's words (measured)
  const reason = appended(again ? { ...node, reason: null } : node, draft.now, "reboot issued");
  draft.putNode({
    ...node,
    reason,
    rebootOrder: { ...order, phase: "issued", at: draft.now },
    power: switchedOff(draft, node),
    update: null,
  });
}

function boot(draft: Draft, node: NodeState, at: number): void {
  const order = node.rebootOrder;
  const activated = Object.fromEntries(
    Object.entries(node.versions).map(([part, v]) => [part, { running: v.installed, installed: v.installed }]),
  ) as NodeState["versions"]; // same keys
  const staysDrained = node.drained && !(order?.nextState === "RESUME");
  const goesDown = order?.nextState === "DOWN";
  const afterwards = goesDown ? appended(node, at, "reboot complete") : staysDrained ? node.reason : null;
  draft.putNode({
    ...node,
    power: { on: true },
    rebootOrder: null,
    drained: staysDrained && !goesDown,
    down: goesDown,
    reason: afterwards,
    respondsAt: at,
    boots: node.boots + 1,
    bootId: uuidFrom(`${draft.state.seed}/${node.cluster}/${node.name}/${node.boots + 1}`),
    bootedAt: at,
    slurmdStartedAt: at + 1,
    lastBusyAt: at,
    versions: activated,
    update: null,
  });
}

function switchedOff(draft: Draft, node: NodeState): NodeState["power"] {
  const backAt = neverReturns(draft, node) ? null : draft.now + draft.state.description.steps.bootS;
  return { on: false, since: draft.now, backAt, rebooting: true };
}

function neverReturns(draft: Draft, node: NodeState): boolean {
  return findFault(draft.state.faults, "reboot-never-returns", { cluster: node.cluster, node: node.name }) !== undefined;
}

function staysOld(draft: Draft, node: NodeState, part: Part): boolean {
  return part === "driver" && findFault(draft.state.faults, "driver-old", { cluster: node.cluster, node: node.name }) !== undefined;
}

function appended(node: NodeState, at: number, words: string): NodeState["reason"] {
  return { text: node.reason === null ? words : `${node.reason.text} : ${words}`, user: node.reason?.user ?? "root", at };
}

function loseJobs(draft: Draft, node: NodeState): void {
  for (const job of jobsOnNode(draft.state, node)) {
    if (job.script === null && job.state === "RUNNING") requeueJob(draft, job);
    else if (job.state === "RUNNING") endJob(draft, job, { state: "NODE_FAIL", exitCode: 1 });
  }
}
