import { CREW_INPUTS } from "./crew-inputs";
import { follow } from "./follow";
import type { Stage } from "./stage";

type Rehearsal = {
  /** The change on the disposable cluster. */ readonly id: string;
  /** Nodes whose test fails on purpose. */ readonly failing: readonly string[];
  readonly timeoutMs: number;
};

/**
 * A test that fails on purpose and the way back from it, on the disposable cluster: dcgm finds a bad memory on the nodes of `failing` while the new
 * driver runs, and nothing any more as soon as the node goes back. Ends when the change has ended.
 */
export async function rehearse(stage: Pick<Stage, "crew" | "fault">, { id, failing, timeoutMs }: Rehearsal): Promise<void> {
  for (const node of failing) await stage.fault({ cluster: "sim-test", node, fault: "dcgm-fails", gpu: 1 });
  const cleared = new Set<string>();
  await follow(id, {
    crew: stage.crew,
    by: {},
    inputs: CREW_INPUTS,
    timeoutMs,
    stop: (view) => {
      for (const { name, step } of view.targets) {
        if (step !== "rolling_back" || !failing.includes(name) || cleared.has(name)) continue;
        cleared.add(name);
        void stage.fault({ cluster: "sim-test", node: name, fault: "dcgm-fails", clear: true });
      }
      return view.endedAt !== null;
    },
  });
}
