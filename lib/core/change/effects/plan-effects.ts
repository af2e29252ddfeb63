import { ACCEPTABLE_LACKS, openPlanFindings, standingUntil } from "@/lib/core/change/approval";
import { GATE_PROFILES } from "@/lib/core/change/gate-profiles";
import type { Move } from "@/lib/core/change/move";
import { isNarrower, planInForce, type Narrowing } from "@/lib/core/change/narrowing";
import { mayReplan } from "@/lib/core/change/replan";
import { readWarning } from "@/lib/core/change/relaxation";
import { coveredPlan } from "@/lib/core/plan/fingerprint";
import { planDifference } from "@/lib/core/plan/plan-difference";
import type { PlanLayout } from "@/lib/core/planner/layout";
import type { FindingView, Snapshot } from "@/lib/core/change/snapshot";
import { closed, decided, done, onChange, refuse, type Effect, type EffectInput } from "./effect";

/** A new revision; what was approved and signed for the old one stops counting by itself (R4.1). */
export const editPlan: Effect<"edit-plan"> = (e) => {
  const { s, request, revision } = e;
  if (revision === undefined) return refuse("invalid", "the plan could not be read", "correct it");
  const may = mayReplan(s, revision.plan, e.now);
  if (!may.ok) return closed(may.error);
  const next = s.change.revision + 1;
  const moves: Move[] = [{ move: "revision", revision: next, yaml: request.yaml, byId: e.actor, ...revision }];
  const voided = revision.fingerprint !== s.change.planFingerprint;
  if (voided && s.change.preflightPassedAt !== null) moves.push({ move: "preflight", passedAt: null, because: "the plan was edited" });
  if (s.change.state === "PREFLIGHT") moves.push({ move: "change", to: "PENDING", outcome: null, because: "the plan was edited" });
  const said = voided
    ? "what was approved and signed for the old revision counts no more"
    : "what was approved still counts: only titles, people or windows changed";
  const differences = planDifference(coveredPlan(s.plan, namesOf(s.layout), []), coveredPlan(revision.plan, namesOf(revision.layout), []));
  const because = request.reason ?? `revision ${next}: ${said}`;
  return done(moves, differences.length === 0 ? because : `${because} (${sayDifferences(differences)})`, {
    facts: { revision: next, from: s.change.planFingerprint, to: revision.fingerprint, differences },
  });
};

const namesOf = (layout: PlanLayout): readonly string[] => layout.batches.flatMap((batch) => batch.nodes.map((node) => node.name));

/** What made an approval void, for whoever approves again (R4.1); all of it stands in the facts. */
function sayDifferences(differences: ReturnType<typeof planDifference>): string {
  const said = differences.slice(0, 5).map(({ path, was, now }) => `${path}: ${was ?? "nothing"} to ${now ?? "nothing"}`);
  return said.join("; ") + (differences.length > 5 ? `; and ${differences.length - 5} more` : "");
}

/** Laid over the plan; voids nothing (R4.2). */
export const narrow: Effect<"narrow"> = (e) => {
  const { s, request } = e;
  const asked: Narrowing = {
    ...(request.batchSize === undefined ? {} : { batchSize: request.batchSize }),
    ...(request.interBatchDelay === undefined ? {} : { interBatchMs: request.interBatchDelay }),
    ...(request.limits === undefined ? {} : { limits: request.limits }),
    ...(request.order === undefined ? {} : { order: request.order }),
  };
  const waiting = s.batches.filter((b) => b.state === "waiting" && !b.askedFor).map((b) => b.number);
  const narrower = isNarrower(planInForce(s.plan, s.narrowing), asked, waiting);
  if (!narrower.ok)
    return closed({ code: "widens", what: narrower.error.what, next: "edit the plan for that; it has to be approved again" });
  const kept = [...(s.narrowing.limits ?? []), ...(asked.limits ?? [])];
  const limits = kept.filter(
    (l, i) => !kept.some((later, j) => j > i && later.check === l.check && metricOf(later.limit) === metricOf(l.limit)),
  );
  const narrowing: Narrowing = limits.length > 0 ? { ...asked, limits } : asked;
  const permits = "the plan as approved, narrower";
  const decision = decided(e, {
    kind: "narrowing",
    on: onChange(s),
    choice: "narrow",
    permits,
    reason: request.reason,
    facts: { narrowing },
  });
  return done([decision], request.reason, { facts: { narrowing } });
};
const metricOf = (limit: string): string => /^\s*([A-Za-z][\w.-]*)/.exec(limit)?.[1] ?? "";

/** For exactly this plan; findings accepted with it, and in profile low a standing approval beside it (R7.5). */
export const approvePlan: Effect<"approve-plan"> = (e) => {
  const { s, request, now } = e;
  const open = openPlanFindings(s);
  const strange = request.accepts.find((id) => !open.some((f) => f.id === id));
  if (strange !== undefined)
    return refuse("invalid", `no open finding of this plan is called ${strange}`, "name the findings that are open");
  const left = open.filter((f) => !request.accepts.includes(f.id));
  const [first] = left;
  if (first !== undefined)
    return closed({ code: "finding_open", finding: first.id, on: first.on, because: first.because, acceptedBy: first.acceptedBy ?? "" });
  if (request.standing && GATE_PROFILES[s.change.profile].approval !== "approver_or_standing")
    return refuse("invalid", `profile ${s.change.profile} knows no standing approval`, "approve this plan alone");
  const until = request.until === undefined ? null : new Date(request.until);
  if (until !== null && until <= now) return refuse("invalid", "the approval would have ended already", "choose a later end");
  const approval = decided(e, {
    kind: "plan_approval",
    on: onChange(s),
    choice: "approve",
    permits: "preflight and the canaries of this plan",
    reason: request.reason,
    until: request.standing ? null : until,
    facts: { accepts: request.accepts },
  });
  const accepted = open.flatMap((f, i) => acceptance(e, f, request.reason, i + 2));
  return done([approval, ...(request.standing ? [standing(e, until)] : []), ...accepted], request.reason, {
    facts: { fingerprint: s.change.planFingerprint, accepts: request.accepts, standing: request.standing },
  });
};

const standing = (e: EffectInput<"approve-plan">, until: Date | null): Move => {
  const latest = standingUntil(e.now);
  return decided(e, {
    kind: "standing_approval",
    on: onChange(e.s),
    choice: "approve",
    permits: "plans of the same text but for version, title, ticket and windows",
    reason: e.request.reason,
    until: until === null || until > latest ? latest : until,
    fingerprint: e.s.change.standingFingerprint,
    nth: 1,
  });
};

/** The decision on a finding, and the finding closed by it. */
function acceptance(e: EffectInput<"approve-plan" | "accept-finding">, finding: FindingView, reason: string, nth: number): readonly Move[] {
  const decision = decided(e, {
    kind: "finding_accepted",
    on: { what: "finding", id: finding.id },
    choice: "accept",
    permits: `going on with: ${finding.because}`.slice(0, 2000),
    reason,
    nth,
  });
  return [decision, { move: "accept_finding", findingId: finding.id, decisionId: decision.id, because: reason }];
}

export const acceptFinding: Effect<"accept-finding"> = (e) => {
  const { s, request } = e;
  const finding = s.findings.find((f) => f.id === request.on && f.closedAt === null);
  if (finding !== undefined)
    return done(acceptance(e, finding, request.reason, 0), request.reason, { facts: { finding: finding.because } });
  const lack = Object.entries(ACCEPTABLE_LACKS).find(([id]) => id === request.on);
  if (lack === undefined) return refuse("not_found", `no open finding is called ${request.on}`, "look at the findings again");
  const permits = `going on although ${lack[1]}`;
  const on = { what: "finding" as const, id: lack[0] };
  return done([decided(e, { kind: "finding_accepted", on, choice: "accept", permits, reason: request.reason })], request.reason, {
    facts: { accepted: lack[1] },
  });
};

export const rejectPlan: Effect<"reject-plan"> = (e) =>
  done(
    [
      decided(e, {
        kind: "rejection",
        on: onChange(e.s),
        choice: "reject",
        permits: "nothing; a new revision is needed",
        reason: e.request.reason,
      }),
    ],
    e.request.reason,
    { facts: { fingerprint: e.s.change.planFingerprint } },
  );

/** One number or limit more than the plan says, until a moment; the plan's fingerprint stays (R5.2). */
export const grantRelaxation: Effect<"grant-relaxation"> = (e) => {
  const { request, s } = e;
  const until = new Date(request.until);
  if (until <= e.now) return refuse("invalid", "the relaxation would have ended already", "choose a later end");
  if (request.what === "maxUnavailable" && !isCount(request.value))
    return refuse("invalid", `${request.value} is no count of nodes`, "give a whole number, or a percentage for maxUnavailable");
  if (
    request.what === "maxNodesPerLeaf" &&
    !(typeof request.value === "number" && isCount(request.value) && request.value > s.plan.maxNodesPerLeaf)
  )
    return refuse(
      "invalid",
      `${request.value} is no more nodes of a leaf than the ${s.plan.maxNodesPerLeaf} of the plan`,
      "give a larger whole number",
    );
  if (request.what === "warning_limit") {
    const read = readWarning(
      s.jobs.map((j) => j.spec),
      request.value,
    );
    if (!read.ok) return refuse("invalid", read.error, "name a locked job, its metric and a limit between what warns and what fails");
  }
  const facts = { what: request.what, value: request.value };
  const permits = `${request.what} ${request.value} until ${until.toISOString()}`;
  const decision = decided(e, { kind: "relaxation", on: onChange(s), choice: "grant", permits, reason: request.reason, until, facts });
  const owed: Move = {
    move: "obligation",
    id: `${s.change.id}/relaxed_limit/${decision.id}`,
    kind: "relaxed_limit",
    targetId: null,
    subjectId: null,
    name: permits,
    prior: null,
    madeBy: null,
    endsAt: until,
  };
  return done([decision, owed], request.reason, { facts });
};
const isCount = (value: number | string): boolean =>
  typeof value === "number" ? Number.isInteger(value) && value > 0 : /^[1-9]\d{0,2}%$/.test(value);

export const revoke: Effect<"revoke"> = (e) => {
  const { s, request } = e;
  const of = s.decisions.find((d) => d.id === request.on);
  if (of === undefined) return refuse("not_found", `no decision is called ${request.on}`, "look at the decisions again");
  const on = { what: "decision" as const, id: of.id };
  const decision = decided(e, {
    kind: "revocation",
    on,
    choice: "revoke",
    permits: `no longer: ${of.permits}`.slice(0, 2000),
    reason: request.reason,
  });
  const relaxed = relaxedBy(s, of.id).map((id): Move => ({ move: "settle", obligationId: id, because: "the relaxation was revoked" }));
  return done([decision, ...relaxed], request.reason, { facts: { kind: of.kind, by: of.byId, at: of.at.toISOString() } });
};
const relaxedBy = (s: Snapshot, decisionId: string): readonly string[] =>
  s.obligations.filter((o) => o.kind === "relaxed_limit" && o.id.endsWith(`/${decisionId}`)).map((o) => o.id);
