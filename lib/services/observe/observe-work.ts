import type { CommandHandle } from "@/lib/core/change/command-request";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { ClusterWorld, Deps } from "../deps";
import { already, done, unknown, type Performed } from "../perform/performed";
import { endOfFolder } from "./end-of-folder";
import { endOfJob } from "./end-of-job";

/** How many long commands are looked at side by side. */
const SIDE_BY_SIDE = 16;

/** Looks at everything long that was started and has not ended: folders on hosts, jobs of the scheduler, reboots. */
export async function observeWork(deps: Deps, world: ClusterWorld, clusterId: string): Promise<void> {
  const startedAt = await deps.clock.now();
  const open = await deps.store.openHandles(clusterId);
  const jobs = open.some((command) => command.handle?.is === "job") ? await world.scheduler.listJobs() : null;
  for (let at = 0; at < open.length; at += SIDE_BY_SIDE) {
    await Promise.all(open.slice(at, at + SIDE_BY_SIDE).map((command) => lookAt(deps, world, command, jobs)));
  }
  await deps.store.recordRead({
    clusterId,
    source: "work",
    startedAt,
    complete: true,
    listed: open.length,
    evidence: [],
    observations: [],
    boots: [],
    nextInMs: 0,
  });
}

type Jobs = Awaited<ReturnType<ClusterWorld["scheduler"]["listJobs"]>> | null;

/** What goes wrong with one command is said of that command: the others are looked at all the same, and its own deadline still ends it. */
async function lookAt(deps: Deps, world: ClusterWorld, command: ClaimedCommand, jobs: Jobs): Promise<void> {
  const { handle } = command;
  if (handle === null) return;
  let brokeOff = "";
  try {
    const end = await endOf(deps, world, command, handle, jobs);
    if (end !== null) return await record(deps, command, end);
  } catch (cause) {
    brokeOff = `; looking at it broke off: ${cause instanceof Error ? cause.message : String(cause)}`;
    deps.log.error({ key: command.key, cause: String(cause) }, "looking at a command broke off");
  }
  const late = await overdue(deps, command, brokeOff);
  if (late !== null) await record(deps, command, late);
}

async function record(deps: Deps, command: ClaimedCommand, end: Performed): Promise<void> {
  if (end.is === "started") return;
  const { state, outcome, evidence, observations, boots, run } = end;
  await deps.store.finishCommand({
    key: command.key,
    attempt: command.attempt,
    at: await deps.clock.now(),
    state,
    outcome,
    evidence,
    evidenceSha: evidence[0]?.sha256 ?? null,
    observations,
    boots,
    run,
  });
}

async function endOf(
  deps: Deps,
  world: ClusterWorld,
  command: ClaimedCommand,
  handle: CommandHandle,
  jobs: Jobs,
): Promise<Performed | null> {
  if (handle.is === "folder") return await endOfFolder(deps, world, command, handle);
  if (handle.is === "job") return jobs === null ? null : await endOfJob(deps, world, command, handle, jobs);
  return await endOfReboot(world, command, handle);
}

/** Proven by a new boot id; an answer from the old boot, or none, is still on the way (R9.4). */
async function endOfReboot(
  world: ClusterWorld,
  command: ClaimedCommand,
  handle: Extract<CommandHandle, { is: "reboot" }>,
): Promise<Performed | null> {
  const bootId = await world.shell.bootId({ node: handle.host });
  if (!bootId.ok || bootId.value === handle.bootId) return null;
  const boots = command.subjectId === null ? [] : [{ subjectId: command.subjectId, bootId: bootId.value, bootedAt: null }];
  const say = command.attempt > 1 ? already : done;
  return say(
    `${handle.host} has booted: boot id ${bootId.value}, before ${handle.bootId ?? "unknown"}`,
    { bootId: bootId.value },
    { boots },
  );
}

/** Past its deadline nobody can say how it will end: unknown, and nothing is sent again by itself (R2.3, R9.4). */
async function overdue(deps: Deps, command: ClaimedCommand, brokeOff: string): Promise<Performed | null> {
  const now = await deps.clock.now();
  if (now <= command.deadlineAt) return null;
  return unknown(
    `${command.kind} had not ended at its deadline ${command.deadlineAt.toISOString()}; read the real state before anything is sent again${brokeOff}`,
  );
}
