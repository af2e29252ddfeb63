import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { Reservation } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { instantOf } from "./local-time";
import { expandNodes } from "./node-names";

/**
 * Which reservation holds each node now, from `scontrol -o show reservation` of all of them; of several the one that began last. What a node says of
 * itself comes late (measured on 22.05: seconds after the reservation began) and, before 23.02, without the name.
 */
export function readHolders(text: string): Result<ReadonlyMap<string, string>, SourceError> {
  const holders = new Map<string, string>();
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 1 && /^No reservations in the system/.test(lines[0] ?? "")) return ok(holders);
  if (lines.length === 0) return unreadable("", text);
  const active: { readonly name: string; readonly startsAt: string; readonly nodes: readonly string[] }[] = [];
  for (const line of lines) {
    const values = valuesOf(line);
    const [name, startsAt, state, written] = ["ReservationName", "StartTime", "State", "Nodes"].map((key) => values.get(key));
    const nodes = written === undefined || written === "" || written === "(null)" ? ok([]) : expandNodes(written);
    if (name === undefined || startsAt === undefined || state === undefined || !nodes.ok) return unreadable("", line);
    if (state === "ACTIVE") active.push({ name, startsAt, nodes: nodes.value });
  }
  active.sort((a, b) => (a.startsAt < b.startsAt ? -1 : 1));
  for (const { name, nodes } of active) for (const node of nodes) holders.set(node, name);
  return ok(holders);
}

/** One line of `scontrol -o show reservation NAME`, printed with TZ=UTC. None of its values holds a blank. */
export function readReservationText(text: string, name: string): Result<Reservation, SourceError> {
  const line = text.split("\n").find((candidate) => candidate.startsWith(`ReservationName=${name} `));
  if (line === undefined) return unreadable(name, text);
  const values = valuesOf(line);
  const nodes = expandNodes(values.get("Nodes") ?? "");
  const flags = values.get("Flags");
  if (!nodes.ok || flags === undefined) return unreadable(name, text);
  return ok({
    name,
    nodes: nodes.value,
    flags: listOf(flags),
    endsAt: instantOf(values.get("EndTime") ?? "", "UTC"),
    users: listOf(values.get("Users")),
    accounts: listOf(values.get("Accounts")),
  });
}

const valuesOf = (line: string): ReadonlyMap<string, string> =>
  new Map(
    line
      .split(" ")
      .flatMap((word) => (word.includes("=") ? [[word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)] as const] : [])),
  );

const listOf = (text: string | undefined): readonly string[] =>
  text === undefined || text === "(null)" || text === "" ? [] : text.split(",");

function unreadable(name: string, text: string): Result<never, SourceError> {
  return err({
    code: "unreadable",
    because: `scontrol show reservation${name === "" ? "" : ` ${name}`} was not understood: ${JSON.stringify(text.slice(0, 200))}.`,
  });
}
