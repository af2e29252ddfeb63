/** For tests of the pure world: four nodes, round step times, and a hand on the clock. */
import { advance, applyEvent, type Applied } from "./apply";
import { WorldDescription } from "./description";
import type { WorldEvent } from "./events";
import { initialState } from "./initial-state";
import type { JobState, NodeState, WorldState } from "./state";

const DESCRIPTION = WorldDescription.parse({
  steps: { bootS: 100, updateS: 50, epilogS: 5, minJobAgeS: 600, slurmdTimeoutS: 300, resumeTimeoutS: 900, respondS: 1 },
  clusters: [{ name: "c", partitions: [{ name: "p", nodes: "n[1-4]", default: true }], nodes: [{ names: "n[1-4]" }] }],
});

export class TestWorld {
  now = 1_000_000;
  state: WorldState = initialState(DESCRIPTION, this.now, "seed");

  does(event: Record<string, unknown> & { type: WorldEvent["type"] }): Applied {
    const applied = applyEvent(this.state, { cluster: "c", user: "root", ...event } as unknown as WorldEvent, this.now); // tests name what matters
    this.state = applied.state;
    return applied;
  }

  fault(kind: string, params: Record<string, unknown> = {}, node = "n1"): Applied {
    return this.does({ type: "set-fault", node, setting: { kind, params }, until: null });
  }

  passes(seconds: number): this {
    this.now += seconds;
    this.state = advance(this.state, this.now);
    return this;
  }

  node(name = "n1"): NodeState {
    const node = this.state.nodes[`c/${name}`];
    if (node === undefined) throw new Error(`no ${name}`);
    return node;
  }

  /** A user's job that asks for exactly these nodes. */
  userJob(required: string[], runS: number): string {
    return (
      this.does({ type: "submit", job: { name: "j", user: "u", nodeCount: required.length, required, limitS: runS * 2, runS } }).value ?? ""
    );
  }

  job(id: string): JobState {
    const job = this.state.jobs[`c/${id}`];
    if (job === undefined) throw new Error(`no job ${id}`);
    return job;
  }

  reserve(name: string, more: Record<string, unknown> = {}): Applied {
    const reservation = {
      cluster: "c",
      name,
      nodes: ["n1"],
      users: ["clearance"],
      accounts: [],
      flags: ["MAINT", "IGNORE_JOBS"],
      startAt: this.now,
      endAt: this.now + 3600,
    };
    return this.does({ type: "reserve", reservation: { ...reservation, ...more } });
  }
}
