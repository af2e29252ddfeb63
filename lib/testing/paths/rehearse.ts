import { CREW_INPUTS } from "./crew-inputs";
import { driverPlan } from "./driver-plan";
import { follow } from "./follow";
import type { SimulatedSite } from "./simulated-site";

const [FROM, TO] = ["570.133.20", "570.172.08"] as const;

/**
 * A test that fails on purpose and the way back from it, on the disposable cluster: dcgm finds a bad memory on the first node of `failing` while the new
 * driver runs, and nothing any more as soon as the node goes back. Gives the change's id when it has ended.
 */
export async function rehearse(site: SimulatedSite, { nodes, failing, timeoutMs }: Rehearsal): Promise<string> {
  const operator = site.crew["AK"];
  if (operator === undefined) throw new Error("AK is not in the crew");
  for (const node of failing) await site.fault({ cluster: "sim-test", node, fault: "dcgm-fails", gpu: 1 });
  const now = await site.deps.clock.now();
  const plan = driverPlan({ cluster: "sim-test", nodes, from: FROM, to: TO, jobs: [], canaries: "{perClass: 0}", now });
  const made = await operator.post("/changes", plan);
  const id = made.body["id"];
  if (typeof id !== "string") throw new Error(`the rehearsal was not recorded: ${JSON.stringify(made.body)}`);
  const cleared = new Set<string>();
  await follow(id, {
    crew: site.crew,
    by: {},
    inputs: CREW_INPUTS,
    timeoutMs,
    stop: (view) => {
      for (const { name, step } of view.targets) {
        if (step !== "rolling_back" || !failing.includes(name) || cleared.has(name)) continue;
        cleared.add(name);
        void site.fault({ cluster: "sim-test", node: name, fault: "dcgm-fails", clear: true });
      }
      return view.endedAt !== null;
    },
  });
  return id;
}

type Rehearsal = { readonly nodes: string; readonly failing: readonly string[]; readonly timeoutMs: number };
