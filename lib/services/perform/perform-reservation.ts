import type { CommandRequest } from "@/lib/core/change/command-request";
import type { ClusterWorld, Hashing } from "../deps";
import { performDrain, performRelease } from "./perform-drain";
import { already, done, failed, fromError, type Performed } from "./performed";

type Part = { readonly world: ClusterWorld; readonly hash: Hashing; readonly pause: (ms: number) => Promise<void> };
type Reserve = Extract<CommandRequest, { kind: "reserve" }> & { readonly reason: string };
type Unreserve = Extract<CommandRequest, { kind: "unreserve" }>;

/** A job that just ended still holds its reservation for a moment (its epilog): ask again this often, this long, in real time. */
const IN_USE_TRIES = 20;
const IN_USE_PAUSE_MS = 1_000;

/** MAINT reservation of R3.6, read back before the drain is lifted inside it: at no moment can other work be placed. */
export async function performReserve(part: Part, request: Reserve): Promise<Performed> {
  const { scheduler } = part.world;
  const before = await scheduler.readReservation(request.name);
  if (!before.ok) return fromError(`could not look for the reservation ${request.name}`, before.error);
  if (before.value === null) {
    const made = await scheduler.reserve({ name: request.name, nodes: request.nodes, durationMs: request.durationMs });
    if (!made.ok) return fromError(`the reservation ${request.name} was not made`, made.error);
  }
  const after = await scheduler.readReservation(request.name);
  if (!after.ok) return fromError(`the reservation ${request.name} could not be read back`, after.error);
  const held = after.value;
  if (held === null) return failed(`the scheduler accepted the reservation ${request.name} but does not show it`);
  const lacking = request.nodes.filter((node) => !held.nodes.includes(node));
  if (lacking.length > 0 || !held.flags.some((flag) => flag.toUpperCase() === "MAINT")) {
    return failed(
      `the reservation ${request.name} does not hold ${lacking.join(", ") || "its nodes as MAINT"}; nothing was resumed inside it`,
    );
  }
  if (!request.resume) return before.value === null ? done(`reserved ${request.nodes.join(", ")}`) : already(`${request.name} stands`);
  for (const node of request.nodes) {
    const released = await performRelease(part, { kind: "release", node, reason: request.reason });
    if (released.is === "ended" && released.state !== "succeeded") return released;
  }
  return done(`${request.nodes.join(", ")} resumed inside the reservation ${request.name}`);
}

/** Not accepted: our drain first, then the reservation. Accepted: the reservation goes and the node is in service. */
export async function performUnreserve(part: Part, request: Unreserve): Promise<Performed> {
  if (request.drainFirst) {
    for (const node of request.nodes) {
      const drained = await performDrain(part, { kind: "drain", node, reason: request.reason });
      if (drained.is === "ended" && drained.state !== "succeeded") return drained;
    }
  }
  for (let tried = 1; ; tried += 1) {
    const gone = await part.world.scheduler.unreserve(request.name);
    if (gone.ok) break;
    if (gone.error.code === "not_found") return already(`the reservation ${request.name} is gone`);
    if (gone.error.code !== "in_use" || tried >= IN_USE_TRIES)
      return fromError(`the reservation ${request.name} was not removed`, gone.error);
    await part.pause(IN_USE_PAUSE_MS);
  }
  const after = await part.world.scheduler.readReservation(request.name);
  if (!after.ok) return fromError(`the reservation ${request.name} was removed but could not be read back`, after.error);
  return after.value === null
    ? done(`the reservation ${request.name} is gone`)
    : failed(`the scheduler still shows the reservation ${request.name}`);
}
