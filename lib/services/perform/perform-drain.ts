import type { CommandRequest } from "@/lib/core/change/command-request";
import { isOurReason, isSameDrain } from "@/lib/core/node/service-observation";
import type { ScheduledNode } from "@/lib/ports/scheduler";
import type { ClusterWorld, Hashing } from "../deps";
import { evidenceOf } from "./evidence-of";
import { already, done, failed, fromError, unknown, type Performed } from "./performed";
import { quoted } from "./quoted";

type Part = { readonly world: ClusterWorld; readonly hash: Hashing };
type Drain = Extract<CommandRequest, { kind: "drain" }>;
type Release = Extract<CommandRequest, { kind: "release" }>;

const isDrained = (node: ScheduledNode): boolean => node.state === "drained" || node.state === "draining";
const slice = (part: Part, node: ScheduledNode) => ({ evidence: [evidenceOf(part.hash, new TextEncoder().encode(node.raw))] });

/**
 * Drains with our reason, unless somebody else has drained the node: a later drain would wipe out their reason, so only a decision on exactly that drain
 * takes it over (R9.2). Read back.
 */
export async function performDrain(part: Part, request: Drain): Promise<Performed> {
  const before = await part.world.scheduler.readNode(request.node);
  if (!before.ok) return fromError(`could not read ${request.node} before draining it`, before.error);
  const agreed = request.takesOver !== undefined && isSameDrain(before.value.reason, request.takesOver.reason);
  if (isDrained(before.value) && !(agreed && !isOurReason(before.value.reason, request.reason))) {
    return isOurReason(before.value.reason, request.reason)
      ? already(`${request.node} is drained by this change`, {}, slice(part, before.value))
      : failed(
          `${request.node} is drained by somebody else: ${quoted(before.value.reason)}; it stays theirs`,
          {},
          slice(part, before.value),
        );
  }
  const sent = await part.world.scheduler.drain(request.node, request.reason);
  const after = await part.world.scheduler.readNode(request.node);
  if (after.ok && isDrained(after.value) && isOurReason(after.value.reason, request.reason)) {
    return done(`${request.node} takes no new work; reason "${request.reason}"`, {}, slice(part, after.value));
  }
  if (!sent.ok) return fromError(`the scheduler did not drain ${request.node}`, sent.error);
  if (!after.ok) return fromError(`${request.node} was drained but could not be read back`, after.error);
  return unknown(
    `the scheduler accepted the drain of ${request.node} but shows ${after.value.words.join("+")}`,
    {},
    slice(part, after.value),
  );
}

/** Lifts our drain and nobody else's. Read back: in service. */
export async function performRelease(part: Part, request: Release): Promise<Performed> {
  const before = await part.world.scheduler.readNode(request.node);
  if (!before.ok) return fromError(`could not read ${request.node} before releasing it`, before.error);
  if (!isDrained(before.value) && before.value.state !== "down")
    return already(`${request.node} is not drained`, {}, slice(part, before.value));
  if (!isOurReason(before.value.reason, request.reason)) {
    return failed(
      `the drain of ${request.node} is not this change's any more: ${quoted(before.value.reason)}; it stays drained`,
      {},
      slice(part, before.value),
    );
  }
  const sent = await part.world.scheduler.resume(request.node);
  const after = await part.world.scheduler.readNode(request.node);
  if (after.ok && after.value.state === "in_service") return done(`${request.node} is back in service`, {}, slice(part, after.value));
  if (!sent.ok) return fromError(`the scheduler did not release ${request.node}`, sent.error);
  if (!after.ok) return fromError(`${request.node} was released but could not be read back`, after.error);
  return done(`the drain of ${request.node} is lifted; the scheduler shows ${after.value.words.join("+")}`, {}, slice(part, after.value));
}
