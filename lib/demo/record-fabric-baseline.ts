import { readNcclTests } from "@/lib/parsers/nccl-tests";
import type { NodeShell } from "@/lib/ports/node-shell";
import type { Deps } from "@/lib/services/deps";
import type { Api } from "./crew";
import { FABRIC } from "./driver-plan";

type Earlier = {
  readonly owner: Api;
  readonly cluster: string;
  readonly class: string;
  /** "name@version". */
  readonly job: string;
  readonly nodes: readonly string[];
  /** Runs a command on a node as the site's own people do, and gives what it printed. */
  readonly run: (node: string, command: string) => Promise<string>;
  readonly now: () => Promise<Date>;
};

/** The site's own all-reduce over these nodes before the change, brought as a baseline by the workload owner (R3.3). */
export async function recordFabricBaseline(earlier: Earlier): Promise<void> {
  const [first] = earlier.nodes;
  if (first === undefined) throw new Error("no node to run on");
  const ranks = earlier.nodes.length * GPUS;
  const takenAt = await earlier.now();
  const command = FABRIC.replace("{gpus}", String(ranks)).replace("mpirun ", `mpirun --host ${earlier.nodes.join(",")} `);
  const output = await earlier.run(first, command);
  const seen = readNcclTests(new TextEncoder().encode(output)).conditions["ranks"];
  if (seen !== String(ranks)) throw new Error(`${seen ?? "no"} ranks of ${ranks} in ${output}`);
  const made = await earlier.owner.post(`/acceptance-jobs/${earlier.job}/baselines`, {
    cluster: earlier.cluster,
    class: earlier.class,
    nodes: earlier.nodes,
    takenAt: takenAt.toISOString(),
    outputs: [output],
  });
  if (made.status !== 201) throw new Error(`the fabric baseline was refused: ${JSON.stringify(made.body)}`);
}
const GPUS = 8;

/** Over SSH, as the product reaches its nodes. */
export const runOn =
  (shell: Pick<NodeShell, "run">): Earlier["run"] =>
  async (node, command) => {
    const ran = await shell.run({ node }, command, { timeoutMs: 60_000 });
    if (!ran.ok) throw new Error(`${command} on ${node}: ${JSON.stringify(ran.error)}`);
    return new TextDecoder().decode(ran.value.stdout);
  };

export function runOverSsh(deps: Pick<Deps, "world">, cluster: string): Earlier["run"] {
  const world = deps.world(cluster);
  if (world === null) throw new Error(`${cluster} is not configured`);
  return runOn(world.shell);
}
