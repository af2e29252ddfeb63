import type { CommandRequest } from "@/lib/core/change/command-request";
import type { ClusterWorld, Hashing } from "../deps";
import { evidenceOf } from "./evidence-of";
import { done, fromError, type Performed } from "./performed";
import { quoted } from "./quoted";

type Request = Extract<CommandRequest, { kind: "check_health" }>;

/** What the scheduler says of the node before anything of ours touches it. Whether that is healthy is the core's to judge. */
export async function performHealth(deps: { readonly world: ClusterWorld; readonly hash: Hashing }, request: Request): Promise<Performed> {
  const node = await deps.world.scheduler.readNode(request.node);
  if (!node.ok) return fromError(`could not read ${request.node} from the scheduler`, node.error);
  const { state, reason, gpus, words } = node.value;
  const evidence = evidenceOf(deps.hash, new TextEncoder().encode(node.value.raw));
  return done(
    `${request.node} is ${words.join("+")}${reason === null ? "" : `, reason ${quoted(reason)}`}`,
    { health: { state, reason, gpusSeen: gpus, observationIds: [] }, outputSha: evidence.sha256 },
    { evidence: [evidence] },
  );
}
