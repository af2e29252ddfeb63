import { newestReport } from "@/lib/core/change/class-in-play";
import type { Move } from "@/lib/core/change/move";
import { signOffOf } from "@/lib/core/change/sign-off-rules";
import type { Target } from "@/lib/core/change/target";
import { message } from "./ask-message";
import type { Look } from "./look";
import { goTo, targetMove } from "./step-ruling";

/** Layers of the node itself; where new nodes get their version is looked at by a gate of its own (R1.13). */
const OWN_LAYERS = ["instance_model", "host_report"] as const;

type Relapse = { readonly what: string; readonly because: string; readonly layer: boolean };

/**
 * What is seen later of an accepted node and does not fit what it was accepted on. Of a signed canary it contradicts the record and an approver has to
 * accept it; of any other node it ends with its cause. Either way no further batch starts (R4.3). A node on another version is unresolved: nothing is
 * sent, a person decides (R2.6).
 */
export function relapses(look: Look): readonly Move[] {
  const { s } = look;
  if (s.change.state !== "IN_PROGRESS" && s.change.state !== "ROLLBACK") return [];
  return s.targets.filter((t) => t.step === "accepted" && t.aim === "goal" && !isElsewhere(look, t)).flatMap((t) => ofTarget(look, t));
}

/** Another change works on the cluster or on this very node: what it does to it is its own record's (R6.5). */
const isElsewhere = ({ s }: Look, t: Target): boolean =>
  s.handOf !== null || s.others.some((o) => o.name === t.name && (o.because === "other_change" || o.because === "lent"));

function ofTarget(look: Look, t: Target): readonly Move[] {
  const seen = relapseOf(t);
  if (seen === null) return ended(look, t);
  const back = seen.layer ? goTo("unresolved", seen.because).to : undefined;
  return [...finding(look, t, seen), ...(back === undefined ? [] : [targetMove(t, back, look.now)])];
}

function relapseOf(t: Target): Relapse | null {
  for (const field of OWN_LAYERS) {
    const match = t.board?.now[field];
    if (match?.verdict !== "differs" || match.known.is !== "value") continue;
    const because = `${t.name} was accepted on ${match.wanted}; its ${field.replace("_", " ")} says ${match.known.value} now`;
    return { what: `${field}/${match.known.value}`, because, layer: true };
  }
  if (t.service.is !== "value" || t.service.value.state !== "down" || t.service.at < t.since) return null;
  const { reason } = t.service.value;
  return {
    what: `down/${t.hostEpoch}`,
    because: `${t.name} was accepted and is down now${reason === null ? "" : `, reason "${reason}"`}`,
    layer: false,
  };
}

function finding(look: Look, t: Target, { what, because }: Relapse): readonly Move[] {
  const { s } = look;
  const report = newestReport(s, t.classId);
  const signed = report !== null && report.body.canary === t.name && signOffOf(s, t.classId, look.now) !== null ? report : null;
  const key = signed === null ? `relapse/${t.id}/${t.generation}/${what}` : `contradiction/${signed.id}/${what}`;
  const isSaid = s.findings.some(
    (f) =>
      f.key === key && (f.closedAt === null || s.decisions.some((d) => d.kind === "finding_accepted" && d.on.id === f.id && !d.revoked)),
  );
  if (isSaid) return [];
  const says = signed === null ? because : `report ${signed.number} was signed for what is not so any more: ${because}`;
  return [
    {
      move: "finding",
      kind: signed === null ? "relapse" : "contradiction",
      key,
      on: t.subjectId,
      because: says,
      blocks: true,
      acceptedBy: "approver",
    },
    message(s, "message", `${key}/${look.now.toISOString()}`, `${t.name} is not as it was accepted`, `${says}. No further batch starts.`),
  ];
}

/** In service, and no layer differs: the cause is gone. */
function ended({ s }: Look, t: Target): readonly Move[] {
  if (t.service.is !== "value" || t.service.value.state !== "in_service") return [];
  const open = s.findings.filter((f) => f.closedAt === null && f.key.startsWith(`relapse/${t.id}/`));
  return open.map((f): Move => ({ move: "close_finding", key: f.key, because: `${t.name} is in service and as it was accepted` }));
}
