import type { Snapshot } from "@/lib/core/change/snapshot";
import { STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { ConfigRow } from "@/lib/core/config-state/board";
import { aBoard, aConfigRow } from "./a-report";
import { aService, aValue } from "./a-target";

/** What the small world knows of a node: who drained it, what it runs, how often it booted. */
export type WorldNode = {
  readonly drain: string | null;
  readonly reservation: string | null;
  readonly jobs: number;
  readonly version: string;
  readonly boot: number;
  readonly bootedAt: Date;
};

/** Targets as a complete read and a probe at `now` show them. */
export const seenTargets = (s: Snapshot, nodes: ReadonlyMap<string, WorldNode>, now: Date): readonly Target[] =>
  s.targets.map((t) => {
    const node = nodes.get(t.name);
    if (node === undefined || !STEP_TRAITS[t.step].holdsSlot) return t;
    const ours = node.drain === `clearance:${s.change.id}/${t.name}`;
    const jobs = Array.from({ length: node.jobs }, (_, i) => ({ id: `${i}`, user: "ann", endsAt: "no_limit" as const }));
    const state = node.drain === null ? ("in_service" as const) : node.jobs > 0 ? ("draining" as const) : ("drained" as const);
    const service = aService({ state, reason: node.drain, ours: ours || (node.drain === null && node.reservation !== null), jobs });
    const row = (wanted: string): ConfigRow =>
      aConfigRow({ host_report: { verdict: node.version === wanted ? "matches" : "differs", known: aValue(node.version, now), wanted } });
    const board = aBoard({ now: row(s.change.goal.text), afterRollback: row("550.90.07") });
    return {
      ...t,
      service: aValue(service, now),
      board,
      bootId: `boot-${node.boot}`,
      bootedAfter: aValue(node.bootedAt, now),
      hostEpoch: node.boot,
    };
  });
