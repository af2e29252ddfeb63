import type { ScheduledJob } from "@/lib/ports/scheduler";

const ENDED = new Set([
  "COMPLETED",
  "CANCELLED",
  "FAILED",
  "TIMEOUT",
  "NODE_FAIL",
  "PREEMPTED",
  "BOOT_FAIL",
  "DEADLINE",
  "OUT_OF_MEMORY",
  "REVOKED",
  "LAUNCH_FAILED",
  "RECONFIG_FAIL",
]);
const WAITING = new Set(["PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"]);
/** Flags that say "something of it is still on the node", whatever the base state is. */
const HOLDS_NODE = new Set(["COMPLETING", "CONFIGURING", "STAGE_OUT", "SIGNALING", "STOPPED", "RESIZING", "POWER_UP_NODE", "UPDATE_DB"]);

/** A word nobody knows counts as active: it may hold a node, and a drain must wait rather than guess. */
export function jobPhase(words: readonly string[]): ScheduledJob["phase"] {
  if (words.some((word) => HOLDS_NODE.has(word))) return "active";
  if (words.length > 0 && words.every((word) => ENDED.has(word) || WAITING.has(word)))
    return words.some((word) => WAITING.has(word)) ? "waiting" : "ended";
  return "active";
}
