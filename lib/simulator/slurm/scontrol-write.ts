/** `scontrol update`, `create`, `delete`, `reboot`, `cancel_reboot`: one event for each node, also when another node is refused. */
import type { WorldEvent } from "@/lib/simulator/world/events";
import { expandHosts } from "@/lib/simulator/world/hostlist";
import { REFUSALS } from "@/lib/simulator/world/refusal";

import { act, failed, said, siteOf, type Desk, type Output } from "./desk";
import { readDuration, readInstant } from "./slurm-time";

const FLAGS = ["MAINT", "IGNORE_JOBS", "FLEX", "OVERLAP", "SPEC_NODES", "NO_HOLD_JOBS_AFTER", "PURGE_COMP", "DAILY", "WEEKLY"];
const BAD_STATE = (text: string): string =>
  `Invalid input: ${text}\nRequest aborted\nValid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN\nNot all states are valid given a node's prior state`;
const BUSY_NOTE =
  "Note, unless nodes are directly requested a reservation must exist in a single partition.\nIf no partition is requested the default partition is assumed.";

/** `key=value` words; keys in any case. */
function readPairs(words: readonly string[]): Map<string, string> {
  return new Map(
    words
      .filter((word) => word.includes("="))
      .map((word) => [word.slice(0, word.indexOf("=")).toLowerCase(), word.slice(word.indexOf("=") + 1)]),
  );
}

export function update(desk: Desk, words: readonly string[]): Output {
  const pairs = readPairs(words);
  const nodes = pairs.get("nodename") ?? pairs.get("node") ?? pairs.get("nodenames");
  if (nodes !== undefined) return updateNodes(desk, nodes, pairs);
  const reservation = pairs.get("reservationname") ?? pairs.get("reservation");
  if (reservation !== undefined) return updateReservation(desk, reservation, pairs);
  return failed(
    'No valid entity in update command\nInput line must include "NodeName", "PartitionName", "Reservation", "JobId", or "SlurmctldDebug"',
  );
}

function updateNodes(desk: Desk, list: string, pairs: Map<string, string>): Output {
  const state = pairs.get("state");
  const reason = pairs.get("reason");
  const word = state?.toLowerCase();
  if (word !== undefined && !["drain", "down", "fail", "resume", "undrain", "idle"].includes(word))
    return failed(BAD_STATE(`state=${state}`));
  if ((word === "drain" || word === "down" || word === "fail") && !reason) return failed(REFUSALS.noReason.text);
  if (word === undefined && reason === undefined) return said("");
  const names = expandNodes(desk, list);
  if (names === null) return failed(`slurm_update error: ${REFUSALS.invalidNode.text}`);
  const refusals = names.map((node) => {
    const { what, event } = nodeEvent(desk, node, word, reason ?? "");
    return act(desk, event, { what, node, detail: reason ?? "", named: reason }).refused;
  });
  const refused = refusals.find((r) => r !== null);
  return refused === undefined ? said("") : failed(`slurm_update error: ${refused?.text}`);
}

function nodeEvent(desk: Desk, node: string, word: string | undefined, reason: string): { what: string; event: WorldEvent } {
  const by = { cluster: desk.cluster, node, user: desk.user };
  if (word === "drain" || word === "fail") return { what: "drain", event: { type: "drain", reason, ...by } };
  if (word === "down") return { what: "down", event: { type: "take-down", reason, ...by } };
  if (word === undefined) return { what: "reason", event: { type: "change-reason", reason, ...by } };
  return { what: "resume", event: { type: "resume", ...by } };
}

export function orderReboots(desk: Desk, words: readonly string[]): Output {
  const pairs = readPairs(words);
  const asap = words.some((word) => word.toLowerCase() === "asap");
  const next = pairs.get("nextstate")?.toUpperCase();
  if (next !== undefined && next !== "RESUME" && next !== "DOWN")
    return failed(`Invalid state: ${pairs.get("nextstate")}\nValid states: DOWN, RESUME`);
  const list = words.filter((word) => !word.includes("=") && word.toLowerCase() !== "asap").at(-1);
  if (list === undefined) return failed("Missing argument: node list");
  const names = expandNodes(desk, list);
  const known = siteOf(desk).nodes.map((n) => n.node.name);
  if (names === null || names.some((name) => !known.includes(name)))
    return failed(`scontrol_reboot_nodes error: ${REFUSALS.invalidNode.text}`);
  const reason = pairs.get("reason") ?? null;
  for (const node of names) {
    const event = { type: "order-reboot", cluster: desk.cluster, node, asap, nextState: next ?? null, reason, user: desk.user } as const;
    act(desk, event, { what: "reboot", node, detail: words.join(" "), named: reason ?? undefined });
  }
  return said("");
}

export function cancelReboots(desk: Desk, [list = ""]: readonly string[]): Output {
  const names = expandNodes(desk, list);
  if (names === null) return failed(`slurm_update error: ${REFUSALS.invalidNode.text}`);
  const refusals = names.map(
    (node) => act(desk, { type: "cancel-reboot", cluster: desk.cluster, node }, { what: "cancel-reboot", node, detail: "" }).refused,
  );
  const refused = refusals.find((r) => r !== null);
  return refused === undefined ? said("") : failed(`slurm_update error: ${refused?.text}`);
}

export function createReservation(desk: Desk, words: readonly string[]): Output {
  const pairs = readPairs(words);
  const now = desk.centre.clock.now();
  const refuse = (text: string): Output => failed(`scontrol: error: ${text}  No reservation created.`);
  const list = (key: string): string[] => (pairs.get(key) ?? "").split(",").filter((x) => x !== "");
  const flags = list("flags").map((flag) => flag.toUpperCase());
  const unknown = flags.find((flag) => !FLAGS.includes(flag));
  if (unknown !== undefined) return refuse(`Error parsing flags ${pairs.get("flags")}.`);
  const start = readInstant(pairs.get("starttime") ?? pairs.get("start") ?? "", now);
  if (start === undefined) return refuse("A start time must be given.");
  const duration = readDuration(pairs.get("duration") ?? "");
  const end = readInstant(pairs.get("endtime") ?? pairs.get("end") ?? "", now);
  if (duration === undefined && end === undefined) return refuse("An end time or duration must be given.");
  const users = list("users").concat(list("user"));
  const accounts = list("accounts").concat(list("account"));
  if (users.length + accounts.length === 0) return refuse("Either Users/Groups and/or Accounts must be specified.");
  const name =
    pairs.get("reservationname") ?? pairs.get("reservation") ?? `${users[0] ?? accounts[0]}_${siteOf(desk).reservations.length + 1}`;
  const nodes = expandNodes(desk, pairs.get("nodes") ?? "");
  if (nodes === null || nodes.length === 0) return failed(`Error creating the reservation: ${REFUSALS.invalidNode.text}`);
  const endAt = end ?? start + (duration ?? 365 * 86_400);
  const reservation = { cluster: desk.cluster, name, nodes, users, accounts, flags, startAt: start, endAt };
  const deed = {
    what: "reserve",
    node: nodes.length === 1 ? nodes[0] : undefined,
    detail: `${name} ${pairs.get("nodes")} ${flags.join(",")}`,
    named: name,
  };
  const { refused } = act(desk, { type: "reserve", cluster: desk.cluster, reservation }, deed);
  if (refused === null) return said(`Reservation created: ${name}\n`);
  const note = refused.errno === REFUSALS.nodesBusy.errno ? `\n${BUSY_NOTE}` : "";
  return failed(`Error creating the reservation: ${refused.text}${note}`);
}

function updateReservation(desk: Desk, name: string, pairs: Map<string, string>): Output {
  const durationS = readDuration(pairs.get("duration") ?? "") ?? undefined;
  const endAt = readInstant(pairs.get("endtime") ?? pairs.get("end") ?? "", desk.centre.clock.now());
  const event = {
    type: "update-reservation",
    cluster: desk.cluster,
    name,
    ...(durationS === undefined ? {} : { durationS }),
    ...(endAt === undefined ? {} : { endAt }),
  } as const;
  const { refused } = act(desk, event, { what: "update-reservation", detail: name, named: name });
  return refused === null
    ? said("Reservation updated.\n")
    : failed(`Error updating the reservation: ${refused.text}\nslurm_update error: ${refused.text}`);
}

export function deleteReservation(desk: Desk, [entity = "", second]: readonly string[]): Output {
  const [word = "", inline] = entity.split("=");
  if (!/^res/i.test(word)) return failed(`invalid entity:${entity} for keyword:delete`);
  const name = inline ?? second ?? "";
  const node = siteOf(desk).reservations.find((r) => r.name === name)?.nodes;
  const deed = { what: "unreserve", node: node?.length === 1 ? node[0] : undefined, detail: name, named: name };
  const { refused } = act(desk, { type: "unreserve", cluster: desk.cluster, name }, deed);
  return refused === null ? said("") : failed(`delete_reservation ${entity}: ${refused.text}`);
}

function expandNodes(desk: Desk, list: string): string[] | null {
  return list === "ALL" ? siteOf(desk).nodes.map((n) => n.node.name) : expandHosts(list);
}
