import { ok, type Result } from "@/lib/core/kernel/result";
import type { ScheduledNode, Scheduler } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { readHolders } from "./read-reservation";
import { runProgram } from "./run-program";
import type { SlurmCli } from "./slurm-cli";

type Holders = { readonly of: ReadonlyMap<string, string>; readonly request: string };

/**
 * Nodes with the reservation that holds them, read from the reservations themselves: whether a node is in service or resumed inside our reservation
 * hangs on it (R3.6, R9.3). Without that answer there is none about the nodes.
 */
export function withHolders<R extends Pick<Scheduler, "listNodes" | "readNode">>(reads: R, cli: SlurmCli): R {
  const held = async (): Promise<Result<Holders, SourceError>> => {
    const answer = await runProgram(cli, ["scontrol", "--all", "-o", "show", "reservation"]);
    if (!answer.ok) return answer;
    const read = readHolders(answer.value.text);
    return read.ok ? ok({ of: read.value, request: answer.value.request }) : read;
  };
  const among = (node: ScheduledNode, holders: Holders): ScheduledNode => ({ ...node, reservation: holders.of.get(node.name) ?? null });
  return {
    ...reads,
    async listNodes() {
      const list = await reads.listNodes();
      if (!list.ok) return list;
      const holders = await held();
      if (!holders.ok) return holders;
      const entries = list.value.entries.map((node) => among(node, holders.value));
      return ok({ ...list.value, entries, request: `${list.value.request}; ${holders.value.request}` });
    },
    async readNode(name) {
      const node = await reads.readNode(name);
      if (!node.ok) return node;
      const holders = await held();
      return holders.ok ? ok(among(node.value, holders.value)) : holders;
    },
  };
}
