import type { Move } from "@/lib/core/change/move";
import type { SourceView } from "@/lib/core/change/snapshot";
import { isInHand } from "@/lib/core/change/step";
import { message } from "./ask-message";
import type { Look } from "./look";

const SCHEDULERS: readonly string[] = ["slurm", "kubernetes"];
const METRICS = "prometheus";

/**
 * While nodes are in hand and the scheduler, or the metrics that the plan's checks rest on, cannot be read, nothing new begins: nobody would see what it
 * does (R2.3, R7.6). Running steps finish. It ends by itself when the source answers again.
 */
export function holdSource(look: Look): readonly Move[] {
  const { s } = look;
  if (s.change.state !== "IN_PROGRESS" && s.change.state !== "ROLLBACK") return [];
  const held = s.holds.some((h) => h.kind === "source_lost");
  const silent = s.sources.filter((source) => isNeeded(look, source) && isSilent(look, source));
  if (held) return silent.length > 0 ? [] : [{ move: "lift", kind: "source_lost", because: "every source answers again" }];
  const [first] = silent;
  if (first === undefined || !s.targets.some((t) => isInHand(t.step))) return [];
  const because = silent.map(sayOf).join("; ");
  return [
    { move: "hold", kind: "source_lost", batch: null, targetId: null, ownerId: s.change.ownerId, because },
    message(
      s,
      "message",
      `source_lost/${first.source}/${first.failedAt?.toISOString() ?? ""}`,
      "a source is silent",
      `${because}. Nothing new begins.`,
    ),
  ];
}

const isNeeded = ({ s }: Look, { source }: SourceView): boolean =>
  SCHEDULERS.includes(source) || (source === METRICS && s.plan.telemetry.length > 0);

/** Its last read failed, and the last good one is older than a fact may be for a decision. */
const isSilent = ({ now, policy }: Look, { confirmsAt, failedAt }: SourceView): boolean =>
  failedAt !== null && (confirmsAt === null || (failedAt > confirmsAt && now.getTime() - confirmsAt.getTime() > policy.serviceMaxAgeMs));

const sayOf = ({ source, confirmsAt, reason }: SourceView): string =>
  `${source} does not answer${confirmsAt === null ? "" : ` since ${confirmsAt.toISOString()}`}: ${reason ?? "no reason given"}`;
