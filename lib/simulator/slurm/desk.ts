/** Who asks, where, and with which data centre: what every Slurm program of the head node starts from. */
import type { DataCentre, Deed } from "@/lib/simulator/data-centre";
import { findFault } from "@/lib/simulator/world/faults";
import type { WorldEvent } from "@/lib/simulator/world/events";
import type { Refusal } from "@/lib/simulator/world/refusal";

import { viewSite, type SiteView } from "./site-view";

export type Output = { readonly code: number; readonly out: string; readonly err: string };
export const said = (out: string): Output => ({ code: 0, out, err: "" });
export const failed = (err: string, code = 1): Output => ({ code, out: "", err: `${err}\n` });

export type Desk = {
  readonly centre: DataCentre;
  readonly cluster: string;
  readonly user: string;
  readonly workDir: string;
  readonly via: "rest" | "scontrol";
};

export const UNREACHABLE = "Unable to contact slurm controller (connect failure)";

export const siteOf = (desk: Desk): SiteView => viewSite(desk.centre.settle(), desk.cluster, desk.centre.clock.now());

export const isDown = (desk: Desk): boolean =>
  findFault(desk.centre.settle().faults, "scheduler-down", { cluster: desk.cluster }) !== undefined;

/** Does it, and names it in the journal. `named` is the text in which the product puts its own key. */
export function act(
  desk: Desk,
  event: WorldEvent,
  deed: Pick<Deed, "what" | "detail"> & { node?: string | undefined; named?: string | undefined },
): { refused: Refusal | null; value: string | null } {
  const key = /^clearance[:-][^\s]+/.exec(deed.named ?? "")?.[0];
  const node = deed.node ?? null;
  return desk.centre.perform(event, {
    via: desk.via,
    what: deed.what,
    detail: deed.detail,
    cluster: desk.cluster,
    node,
    ...(key === undefined ? {} : { key }),
  });
}
