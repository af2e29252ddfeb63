import type { CommandHandle, CommandRequest } from "@/lib/core/change/command-request";
import type { ShellHost } from "@/lib/ports/node-shell";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { ClusterWorld } from "../deps";
import { already, done, failed, fromError, unknown, type Performed } from "./performed";

type Part = { readonly world: ClusterWorld; readonly storeHandle: (handle: CommandHandle) => Promise<"stored" | "late"> };
type Start = Extract<CommandRequest, { kind: "start_update" | "start_rollback" }>;
type StartRun = Extract<CommandRequest, { kind: "start_run" }>;
type Reboot = Extract<CommandRequest, { kind: "reboot" }>;

const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** Puts node names in for `{node}` and `{group}`. Names are checked, so that nothing else can enter the command line by this door. */
function filledIn(run: string, node: string, nodes: readonly string[]): string | null {
  if (![node, ...nodes].every((name) => NODE_NAME.test(name))) return null;
  return run.replaceAll("{node}", node).replaceAll("{group}", nodes.join(","));
}

const hostOf = (on: "node" | "head" | "switch" | "bmc", node: string): ShellHost | null =>
  on === "node" ? { node } : on === "head" ? { head: true } : null;

/** Starts one stage of the update or rollback, once per key: a second start finds the first one's folder (MODEL 5.3). */
export async function performStart(part: Part, command: ClaimedCommand, request: Start): Promise<Performed> {
  const host = hostOf(request.on, request.node);
  if (host === null) return failed(`this cluster's configuration names no way to reach the ${request.on} of ${request.node}`);
  return await startInFolder(part, command, host, request.node, request.run, [request.node], request.timeoutMs);
}

async function startInFolder(
  part: Part,
  command: ClaimedCommand,
  host: ShellHost,
  node: string,
  run: string,
  nodes: readonly string[],
  timeoutMs: number,
): Promise<Performed> {
  const line = filledIn(run, node, nodes);
  if (line === null) return failed(`"${node}" or one of its partners is not a node name; nothing was started`);
  const started = await part.world.shell.start(host, command.key, line, timeoutMs);
  if (!started.ok) return fromError(`could not start on ${node}`, started.error);
  return {
    is: "started",
    handle: { is: "folder", host: "head" in host ? "head" : node, folder: started.value.folder, bootId: started.value.bootId },
  };
}

/** A check's command over SSH, or the acceptance job through the scheduler, found again by its name. */
export async function performStartRun(part: Part, command: ClaimedCommand, request: StartRun): Promise<Performed> {
  const host: ShellHost = request.on === "head" ? { head: true } : { node: request.node };
  if (request.job === null) {
    if (request.run === null) return failed("the check names neither a job nor a command");
    return await startInFolder(part, command, host, request.node, request.run, request.nodes, request.timeoutMs);
  }
  const { job } = request;
  if (job.reservation === null) return await startInFolder(part, command, host, request.node, job.script, request.nodes, request.timeoutMs);
  const folder = await part.world.shell.stateFolder({ node: request.node });
  if (!folder.ok) return fromError(`could not make the folder for the output of ${job.name} on ${request.node}`, folder.error);
  const output = `${folder.value}/${job.name}.out`;
  const listed = await part.world.scheduler.listJobs();
  if (!listed.ok) return fromError(`could not look for the job ${job.name}`, listed.error);
  const mine = listed.value.entries.find((entry) => entry.name === job.name);
  if (mine !== undefined) return { is: "started", handle: { is: "job", jobId: mine.id, name: job.name, host: request.node, output } };
  const sent = await part.world.scheduler.submit({
    name: job.name,
    nodes: request.nodes,
    reservation: job.reservation,
    script: job.script,
    timeLimitMs: request.timeoutMs,
    output,
  });
  if (!sent.ok) return fromError(`the scheduler did not take the job ${job.name}`, sent.error);
  return { is: "started", handle: { is: "job", jobId: sent.value.jobId, name: job.name, host: request.node, output } };
}

/**
 * Orders a reboot and comes back at once. What it was before is stored first, so that whoever takes over can tell a host that has rebooted
 * from one that has not been told.
 */
export async function performReboot(part: Part, command: ClaimedCommand, request: Reboot): Promise<Performed> {
  const host = { node: request.node };
  const bootId = await part.world.shell.bootId(host);
  if (command.handle?.is === "reboot") {
    if (bootId.ok && bootId.value !== command.handle.bootId) return { is: "started", handle: command.handle };
    if (!bootId.ok) return { is: "started", handle: command.handle };
  }
  if (!bootId.ok) return fromError(`could not read the boot id of ${request.node} before rebooting it`, bootId.error);
  const handle: CommandHandle = command.handle ?? { is: "reboot", host: request.node, bootId: bootId.value, bootedAt: null };
  if ((await part.storeHandle(handle)) === "late") return unknown("another worker has taken this command over");
  if (part.world.rebootVia === "ssh") {
    const sent = await part.world.shell.start(host, command.key, "systemctl reboot", 60_000);
    // The host may go away under the answer: the handle tells, not this call.
    if (!sent.ok && sent.error.code !== "unreachable" && sent.error.code !== "timed_out")
      return fromError(`could not order the reboot of ${request.node}`, sent.error);
    return { is: "started", handle };
  }
  const node = await part.world.scheduler.readNode(request.node);
  if (!node.ok) return fromError(`could not read ${request.node} before rebooting it`, node.error);
  if (node.value.words.some((word) => /^REBOOT/i.test(word))) return { is: "started", handle };
  if (node.value.state !== "drained")
    return failed(`${request.node} is ${node.value.words.join("+")}, not drained and empty; it was not rebooted`);
  const sent = await part.world.scheduler.reboot(request.node, node.value.reason);
  return sent.ok ? { is: "started", handle } : fromError(`the scheduler did not take the reboot of ${request.node}`, sent.error);
}

/** Ends something that ran past its limit; an update or image write is never stopped, only runs and checks are. */
export async function performStop(part: Part, handle: CommandHandle | null): Promise<Performed> {
  if (handle === null) return already("nothing was started under that key");
  if (handle.is === "reboot") return failed("a reboot cannot be stopped");
  const stopped =
    handle.is === "job"
      ? await part.world.scheduler.cancel(handle.jobId)
      : await part.world.shell.stop(handle.host === "head" ? { head: true } : { node: handle.host }, {
          folder: handle.folder,
          bootId: handle.bootId,
        });
  if (!stopped.ok && stopped.error.code === "not_found") return already("it had ended");
  return stopped.ok ? done("stopped") : fromError("it was not stopped", stopped.error);
}
