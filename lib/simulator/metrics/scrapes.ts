/** What a Prometheus has collected from every node's exporter: the last hour of scrapes. In memory only, as a fresh Prometheus would be. */
import { hash32 } from "@/lib/simulator/world/chance";
import { findFault } from "@/lib/simulator/world/faults";
import { gpusPresent } from "@/lib/simulator/world/gpus";
import { jobsOf, type NodeState, type WorldState } from "@/lib/simulator/world/state";

const KEPT = 240;

export type Scrape = {
  readonly at: number;
  readonly up: boolean;
  readonly gpus: number;
  readonly driver: string;
  readonly busy: boolean;
};

export type Scrapes = {
  readonly take: (state: WorldState, now: number) => void;
  /** The last scrape at or before that instant. */
  readonly lastAt: (node: NodeState, instant: number) => Scrape | undefined;
};

export function createScrapes(): Scrapes {
  const histories = new Map<string, Scrape[]>();
  return {
    take: (state, now) => {
      const interval = state.description.steps.scrapeS;
      const busy = busyNodes(state);
      for (const [key, node] of Object.entries(state.nodes)) {
        const offset = (hash32(key) % 1000) * (interval / 1000);
        const due = Math.floor((now - offset) / interval) * interval + offset;
        const history = histories.get(key) ?? [];
        histories.set(key, history);
        const last = history.at(-1);
        if (last !== undefined && last.at >= due && last.at <= now) continue;
        if (last !== undefined && last.at > now) history.length = 0; // the shown clock was set back
        history.push(scrape(state, node, history.length === 0 ? now : due, busy.has(key)));
        if (history.length > KEPT) history.splice(0, history.length - KEPT);
      }
      for (const key of histories.keys()) if (state.nodes[key] === undefined) histories.delete(key);
    },
    lastAt: (node, instant) => histories.get(`${node.cluster}/${node.name}`)?.findLast((s) => s.at <= instant),
  };
}

function scrape(state: WorldState, node: NodeState, at: number, busy: boolean): Scrape {
  const answers = node.power.on && findFault(state.faults, "target-down", { cluster: node.cluster, node: node.name }) === undefined;
  return { at, up: answers, gpus: gpusPresent(state, node), driver: node.versions.driver.running, busy };
}

function busyNodes(state: WorldState): Set<string> {
  const clusters = state.description.clusters.map((c) => c.name);
  const running = clusters.flatMap((c) => jobsOf(state, c)).filter((job) => job.state === "RUNNING");
  return new Set(running.flatMap((job) => job.nodes.map((node) => `${job.cluster}/${node}`)));
}
