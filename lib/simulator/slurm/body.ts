/** Whole answers in a served version, as slurmrestd and `--json` give them. */
import { jobV38, META_V38, nodeV38, partitionV38, reservationV38 } from "./json-v38";
import { jobV40, metaV40, nodeV40, numberV40, partitionV40, reservationV40 } from "./json-v40";
import type { SiteView } from "./site-view";

export type SlurmVersion = SiteView["cluster"]["slurmVersions"][number];
export type ListName = "nodes" | "jobs" | "reservations" | "partitions" | "pings";

/** `only` narrows to one entry by name or job id. */
export function listBody(site: SiteView, version: SlurmVersion, list: ListName, only?: string): Record<string, unknown> {
  const v40 = version === "v0.0.40";
  const wanted = (name: string): boolean => only === undefined || only === name;
  const entries = (): unknown[] => {
    switch (list) {
      case "nodes":
        return site.nodes.filter((n) => wanted(n.node.name)).map((n) => (v40 ? nodeV40 : nodeV38)(n, site));
      case "jobs":
        return site.jobs.filter((j) => wanted(String(j.id))).map((j) => (v40 ? jobV40 : jobV38)(j, site));
      case "reservations":
        return site.reservations.filter((r) => wanted(r.name)).map((r) => (v40 ? reservationV40 : reservationV38)(r, site));
      case "partitions":
        return site.cluster.partitions.filter((p) => wanted(p.name)).map((p) => (v40 ? partitionV40 : partitionV38)(p, site));
      case "pings":
        return [
          v40
            ? { hostname: "ctl1", pinged: "UP", latency: 214, mode: "primary" }
            : { hostname: "ctl1", ping: "UP", status: 0, mode: "primary" },
        ];
    }
  };
  return frame(site, version, { [list]: entries(), ...(v40 && list !== "pings" ? { last_update: numberV40(site.now) } : {}) });
}

export function errorBody(site: SiteView, version: SlurmVersion, list: string, error: Record<string, unknown>): Record<string, unknown> {
  return frame(site, version, { errors: [error], [list]: [] });
}

export function frame(site: SiteView, version: SlurmVersion, rest: Record<string, unknown>): Record<string, unknown> {
  return version === "v0.0.40" ? { meta: metaV40(site), errors: [], warnings: [], ...rest } : { meta: META_V38, errors: [], ...rest };
}

/** Slurm writes every slash as `\/`. */
export function slurmJson(body: unknown): string {
  return `${JSON.stringify(body, null, 2).replaceAll("/", "\\/")}\n`;
}
