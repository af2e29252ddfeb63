import type { Reason } from "@/lib/core/change/reason";
import type { Target } from "@/lib/core/change/target";
import type { Service } from "@/lib/core/node/service";
import type { Look } from "./look";

type ServiceSeen = { readonly is: "seen"; readonly service: Service } | { readonly is: "not_yet"; readonly because: Reason };

/** What the scheduler says of the node, if it said it after `since` and lately. A fact from before our own command says nothing about its effect (R9.4). */
export function serviceAfter(look: Look, t: Target, since: Date | null): ServiceSeen {
  const { service } = t;
  const unknown = (because: "too_old" | "never_observed"): ServiceSeen => ({
    is: "not_yet",
    because: { code: "unknown", on: t.name, field: "service", unknown: because },
  });
  if (service.is === "unknown")
    return { is: "not_yet", because: { code: "unknown", on: t.name, field: "service", unknown: service.because } };
  if (since !== null && service.at < since) return unknown("too_old");
  if (look.now.getTime() - service.at.getTime() > look.policy.serviceMaxAgeMs) return unknown("too_old");
  return { is: "seen", service: service.value };
}

/** Out of service by our drain, and nothing of anybody runs there: no job in any state, epilog included (R9.5). */
export const isDrainedEmpty = (s: Service): boolean => s.ours && s.state === "drained" && s.jobs.length === 0;

export const jobsReason = (t: Target, s: Service): Reason => ({ code: "jobs_running", on: t.name, jobs: s.jobs });
