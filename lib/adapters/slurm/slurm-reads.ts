import { createHash } from "node:crypto";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { Scheduler, SchedulerList } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { checkJobId, checkName } from "./names";
import { readPing } from "./read-ping";
import { readReservationText } from "./read-reservation";
import { readTopologyText } from "./read-topology";
import { runProgram } from "./run-program";
import type { SlurmCli } from "./slurm-cli";
import type { SlurmRest } from "./slurm-rest";
import { readJobs, readJobText, readNodes, readNodesText } from "./wire";

type Reads = Pick<Scheduler, "ping" | "listNodes" | "listJobs" | "readNode" | "readJob">;
type Release = { readonly text: string; readonly number: number };

export function restReads(rest: SlurmRest): Reads {
  return {
    async ping() {
      const answer = await rest.ask("GET", "ping");
      return answer.ok ? readPing(answer.value.bytes) : answer;
    },
    async listNodes() {
      const answer = await rest.ask("GET", "nodes");
      if (!answer.ok) return answer;
      const read = readNodes(answer.value.bytes, answer.value.version);
      return read.ok ? ok(listed(read.value.nodes, read.value.version, answer.value)) : read;
    },
    async listJobs() {
      const answer = await rest.ask("GET", "jobs");
      if (!answer.ok) return answer;
      const read = readJobs(answer.value.bytes, answer.value.version);
      return read.ok ? ok(listed(read.value.jobs, read.value.version, answer.value)) : read;
    },
    async readNode(name) {
      const checked = checkName("node", name);
      if (!checked.ok) return checked;
      // not node/{name}: slurmctld does not bring a single node's allocation up to date (measured on 22.05: a node stayed ALLOCATED with 0 CPUs
      // long after its job had gone, until somebody listed all nodes)
      const answer = await rest.ask("GET", "nodes");
      if (!answer.ok) return answer;
      const read = readNodes(answer.value.bytes, answer.value.version);
      return read.ok ? theOne(read.value.nodes, (node) => node.name === name, `node ${name}`) : read;
    },
    async readJob(id) {
      const checked = checkJobId(id);
      if (!checked.ok) return checked;
      const answer = await rest.ask("GET", `job/${id}`);
      if (!answer.ok) return answer;
      const read = readJobs(answer.value.bytes, answer.value.version);
      return read.ok ? theOne(read.value.jobs, (job) => job.id === id, `job ${id}`) : read;
    },
  };
}

/** JSON from 21.08 (sinfo, squeue), everywhere from 23.02 (scontrol; sinfo's JSON is another one since then), text before. */
export function cliReads(cli: SlurmCli): Reads {
  let known: Release | null = null;
  const release = async (): Promise<Result<Release, SourceError>> => {
    if (known !== null) return ok(known);
    const answer = await runProgram(cli, ["scontrol", "--version"]);
    if (!answer.ok) return answer;
    const found = /\b((\d\d)\.(\d\d)\.\S+)/.exec(answer.value.text);
    if (found === null)
      return err({ code: "unreadable", because: `scontrol --version says ${JSON.stringify(answer.value.text.slice(0, 80))}.` });
    known = { text: found[1] ?? "", number: Number(found[2]) * 100 + Number(found[3]) };
    return ok(known);
  };
  // what cannot be read may come from another release than the one we know: ask again next time
  const forgetting = <T>(result: Result<T, SourceError>): Result<T, SourceError> => {
    if (!result.ok) known = null;
    return result;
  };

  return {
    async ping() {
      const answer = await runProgram(cli, ["scontrol", "ping"]);
      if (!answer.ok) return / is DOWN\b/.test(answer.error.because) ? err({ ...answer.error, code: "unreachable" }) : answer;
      if (!/ is UP\b/.test(answer.value.text))
        return err({ code: "unreachable", because: "scontrol ping names no controller that is up." });
      const found = await release();
      return found.ok ? ok({ version: found.value.text }) : found;
    },
    async listNodes() {
      const found = await release();
      if (!found.ok) return found;
      const asText = found.value.number < 2108;
      const json = found.value.number >= 2302 ? ["scontrol", "--all", "--json", "show", "nodes"] : ["sinfo", "--all", "--json"];
      const answer = await runProgram(cli, asText ? ["scontrol", "--all", "-o", "show", "node"] : json);
      if (!answer.ok) return forgetting(answer);
      const read = forgetting(asText ? readNodesText(answer.value.text) : readNodes(answer.value.bytes));
      return read.ok ? ok(listed(read.value.nodes, read.value.version, answer.value)) : read;
    },
    async listJobs() {
      const found = await release();
      if (!found.ok) return found;
      const asText = found.value.number < 2108;
      const json = found.value.number >= 2302 ? ["scontrol", "--all", "--json", "show", "jobs"] : ["squeue", "--all", "--json"];
      const answer = await runProgram(cli, asText ? ["scontrol", "--all", "-o", "show", "job"] : json);
      if (!answer.ok) return forgetting(answer);
      const read = forgetting(asText ? readJobText(answer.value.text) : readJobs(answer.value.bytes));
      return read.ok ? ok(listed(read.value.jobs, read.value.version, answer.value)) : read;
    },
    async readNode(name) {
      const checked = checkName("node", name);
      if (!checked.ok) return checked;
      const answer = await runProgram(cli, ["scontrol", "--all", "-o", "show", "node", name]);
      if (!answer.ok) return answer;
      const read = readNodesText(answer.value.text);
      return read.ok ? theOne(read.value.nodes, (node) => node.name === name, `node ${name}`) : read;
    },
    async readJob(id) {
      const checked = checkJobId(id);
      if (!checked.ok) return checked;
      const answer = await runProgram(cli, ["scontrol", "--all", "-o", "show", "job", id]);
      if (!answer.ok) return answer;
      const read = readJobText(answer.value.text);
      return read.ok ? theOne(read.value.jobs, (job) => job.id === id, `job ${id}`) : read;
    },
  };
}

/** What is only read by Slurm's programs, whatever the version. */
export function programReads(cli: SlurmCli): Pick<Scheduler, "readTopology" | "readReservation"> {
  return {
    async readTopology() {
      const answer = await runProgram(cli, ["scontrol", "show", "topology"]);
      if (!answer.ok) return /no topology/i.test(answer.error.because) ? ok(null) : answer;
      const leaves = readTopologyText(answer.value.text);
      if (!leaves.ok) return leaves;
      return ok(leaves.value === null ? null : { leaves: leaves.value, request: answer.value.request, raw: answer.value.text });
    },
    async readReservation(name) {
      const checked = checkName("reservation", name);
      if (!checked.ok) return checked;
      const answer = await runProgram(cli, ["scontrol", "--all", "-o", "show", "reservation", name]);
      if (!answer.ok) return answer.error.code === "not_found" ? ok(null) : answer;
      return readReservationText(answer.value.text, name);
    },
  };
}

function listed<T>(
  entries: readonly T[],
  version: string,
  answer: { readonly bytes: Uint8Array; readonly request: string },
): SchedulerList<T> {
  return { entries, version, request: answer.request, digest: createHash("sha256").update(answer.bytes).digest("hex") };
}

function theOne<T>(entries: readonly T[], is: (entry: T) => boolean, what: string): Result<T, SourceError> {
  const found = entries.find(is);
  return found === undefined ? err({ code: "not_found", because: `The scheduler's answer does not hold ${what}.` }) : ok(found);
}
