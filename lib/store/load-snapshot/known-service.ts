import { latestValid } from "@/lib/core/config-state/latest-valid";
import type { Known, Observed } from "@/lib/core/config-state/observation";
import type { Obligation } from "@/lib/core/change/obligation";
import type { Service } from "@/lib/core/node/service";
import { drainReasonOf, serviceOf, ServiceValue } from "@/lib/core/node/service-observation";
import type { LoadedChange } from "./load-change";
import type { Loading } from "./loading";

type About = {
  readonly row: { readonly id: string; readonly name: string; readonly host_epoch: number; readonly model_epoch: number };
  readonly l: Loading;
  readonly context: { readonly loaded: LoadedChange; readonly obligations: readonly Obligation[] };
  readonly required: readonly string[];
};

/** What the scheduler says of a node now, and whether that is our doing (R9.2); too old, unreadable or contradicted is unknown. */
export function knownService(seen: readonly Observed[], { row, l, context, required }: About): Known<Service> {
  const maxAge = context.loaded.policy["serviceMaxAgeMs"];
  const epochs = { host: row.host_epoch, model: row.model_epoch };
  const known = latestValid(seen, required, epochs, "service", l.now, typeof maxAge === "number" ? maxAge : undefined);
  if (known.is === "unknown") return known;
  const cited = seen.filter((o) => known.cites.includes(o.id)).at(-1);
  const value = ServiceValue.safeParse(cited?.value);
  if (!value.success) return { is: "unknown", because: "unreadable", last: seen };
  const reservation = context.obligations.find((o) => o.kind === "reservation" && o.targetId === row.id);
  return { ...known, value: serviceOf(value.data, drainReasonOf(l.changeId, row.name), reservation?.name ?? null) };
}
