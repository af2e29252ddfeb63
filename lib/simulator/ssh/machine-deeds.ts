/** What a machine does to itself: installs a version, reboots. The journal knows each by its ticket, so a repeated request does nothing. */
import type { DataCentre } from "@/lib/simulator/data-centre";
import { failed, said, type Output } from "@/lib/simulator/slurm/desk";
import { findFault } from "@/lib/simulator/world/faults";
import type { WorldEvent } from "@/lib/simulator/world/events";
import type { Part } from "@/lib/simulator/world/state";

type Ask = { cluster: string; node: string; what: string; args: readonly string[]; ticket: string };

export function machineDeed(centre: DataCentre, ask: Ask): Output {
  const { cluster, node, what, args } = ask;
  const state = centre.settle();
  const [part = "", version = ""] = args;
  if (what === "reboot") {
    once(centre, ask, { type: "power-cycle", cluster, node }, "reboot");
    return said("");
  }
  if (!isPart(part)) return failed(`sim-event: cannot ${what} ${part}`);
  if (what === "begin-update") {
    const refused = once(centre, ask, { type: "begin-update", cluster, node, part, version }, "update-begin");
    if (refused !== null) return failed("E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by another process", 100);
    const slow = findFault(state.faults, "update-slow", { cluster, node });
    return said(`${slow?.params.seconds ?? state.description.steps.updateS}\n`);
  }
  if (what === "end-update") {
    const fails = findFault(state.faults, "update-fails", { cluster, node });
    once(centre, ask, { type: "end-update", cluster, node, succeeded: fails === undefined }, "update-end");
    if (fails === undefined) return said("");
    return failed(
      `dpkg: error processing package ${part}-${version} (--configure):\n subprocess returned error exit status ${fails.params.exitCode}`,
      fails.params.exitCode,
    );
  }
  return failed(`sim-event: unknown deed ${what}`);
}

function once(centre: DataCentre, ask: Ask, event: WorldEvent, what: string): string | null {
  const before = centre.journal.records.findLast((record) => record.ticket === ask.ticket && record.what === what);
  if (before !== undefined) return before.refused ?? null;
  const deed = { via: "ssh", what, detail: ask.args.join(" "), cluster: ask.cluster, node: ask.node, ticket: ask.ticket } as const;
  return centre.perform(event, deed).refused?.text ?? null;
}

const isPart = (text: string): text is Part => text === "driver" || text === "kernel" || text === "firmware";
