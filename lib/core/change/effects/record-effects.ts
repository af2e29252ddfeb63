import { nodesOut, undecidedExceptions } from "@/lib/core/change/close-rules";
import { endOf, type End } from "@/lib/core/change/end";
import { newestOf } from "@/lib/core/change/gate-of-end";
import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { STEP_TRAITS } from "@/lib/core/change/step";
import { decided, done, nameOf, refuse, type Effect, type EffectInput } from "./effect";

const POST_MORTEM_MS = 48 * 3600_000;

/** The owner stays the owner until the other accepts (R12.2). */
export const offerOwnership: Effect<"offer-ownership"> = (e) => {
  const { s, request } = e;
  const to = s.people.find((p) => p.id === request.to);
  if (to === undefined) return refuse("invalid", `nobody is called ${request.to}`, "name a person by id");
  if (to.id === s.change.ownerId) return refuse("invalid", `${to.name} is the owner`, "name somebody else");
  const expiresAt = new Date(e.now.getTime() + e.policy.offerValidMs);
  return done([{ move: "offer", id: e.id, to: to.id, by: e.actor, expiresAt }], request.reason ?? `offered to ${to.name}`, {
    facts: { to: to.id, until: expiresAt.toISOString() },
  });
};

export const acceptOwnership: Effect<"accept-ownership"> = (e) => answer(e, "accepted");
export const declineOwnership: Effect<"decline-ownership"> = (e) => answer(e, "declined");
const answer = (e: EffectInput<"accept-ownership" | "decline-ownership">, said: "accepted" | "declined") => {
  const { s } = e;
  if (s.offer === null) return refuse("not_found", "no ownership is offered", "its owner offers it");
  const moves: Move[] = [{ move: "answer_offer", id: s.offer.id, answer: said, byId: e.actor }];
  if (said === "accepted") moves.push({ move: "owner", to: e.actor });
  const because = e.request.reason ?? `${nameOf(s, e.actor)} ${said} the offer of ${nameOf(s, s.offer.by)}`;
  return done(moves, because, { facts: { from: s.change.ownerId, to: said === "accepted" ? e.actor : s.change.ownerId } });
};

/** Nothing is settled while the scheduler still shows it as ours: read back as gone, or handed over (R12.4). */
export const settleObligation: Effect<"settle-obligation"> = (e) => {
  const { s, request } = e;
  const of = s.obligations.find((o) => o.id === request.on);
  if (of === undefined) return refuse("not_found", `no open obligation is called ${request.on}`, "look at the obligations again");
  const target = s.targets.find((t) => t.id === of.targetId);
  if (
    of.kind === "drain" &&
    target !== undefined &&
    target.service.is === "value" &&
    target.service.value.ours &&
    target.step !== "released"
  )
    return refuse("closed", `${target.name} is still drained by this change`, "bring it back, or release it with owner and ticket");
  const on = { what: "obligation" as const, id: of.id };
  const decision = decided(e, {
    kind: "release",
    on,
    choice: "settle",
    permits: `the change ends without ${of.kind} on ${of.on}`,
    reason: request.reason,
  });
  return done([decision, { move: "settle", obligationId: of.id, because: request.reason }], request.reason, {
    targetId: of.targetId,
    facts: { kind: of.kind, on: of.on },
  });
};

/** Nothing was touched: the change ends and its bookings go (R7.2). */
export const withdraw: Effect<"withdraw"> = (e) =>
  done([...dropWindows(e), { move: "change", to: "COMPLETED", outcome: "withdrawn", because: e.request.reason }], e.request.reason);

const dropWindows = (e: EffectInput<"withdraw" | "close">): readonly Move[] =>
  e.s.windows.filter((w) => w.startsAt > e.now).map((w): Move => ({ move: "window", ...w, byId: e.actor, state: "cancelled" }));

/** As `endOf` says. Each node that is out is handed over with owner and ticket, which settles its drain; its outcome stays (R7.3, R12.4). */
export const close: Effect<"close"> = (e) => {
  const { s, request, now } = e;
  const out = nodesOut(s);
  const [strange] = request.out.filter((o) => !out.some((t) => t.name === o.node));
  if (strange !== undefined) return refuse("invalid", `${strange.node} is not out because of this change`, "name only nodes that are out");
  const [missing] = out.filter((t) => !request.out.some((o) => o.node === t.name));
  if (missing !== undefined)
    return refuse("invalid", `${missing.name} is out: ${STEP_TRAITS[missing.step].outcome}`, "say owner, ticket and reason for it");
  const nobody = request.out.find((o) => !s.people.some((p) => p.id === o.owner));
  if (nobody !== undefined) return refuse("invalid", `nobody is called ${nobody.owner}`, "name a person by id");
  const exceptions = undecidedExceptions(s);
  if (exceptions.length > 0 && request.reason === undefined)
    return refuse("invalid", `${exceptions.map((t) => t.name).join(", ")} ended as an exception that nobody decided on`, "give the reason");
  const end = endOf(s.targets, validationsOf(s));
  const because = request.reason ?? (end.state === "DEGRADED" ? end.because.join("; ") : end.outcome.replaceAll("_", " "));
  const moves = [
    ...handedOver(e),
    ...exceptions.map((t, i) =>
      decided(e, {
        kind: "leave_out",
        on: { what: "target", id: t.id },
        choice: "withdraw",
        permits: `the change ends without ${t.name}`,
        reason: because,
        facts: { generation: t.generation },
        nth: request.out.length + i + 1,
      }),
    ),
    ...s.obligations
      .filter((o) => o.kind === "relaxed_limit")
      .map((o): Move => ({ move: "settle", obligationId: o.id, because: "the change has ended" })),
    ...dropWindows(e),
    { move: "change" as const, to: end.state, outcome: end.outcome, because },
    ...postMortem(e, end, now),
  ];
  return done(moves, because, { facts: { end: end.state, outcome: end.outcome, out: request.out } });
};

function handedOver(e: EffectInput<"close">): readonly Move[] {
  return e.request.out.flatMap((o, i): readonly Move[] => {
    const t = e.s.targets.find((x) => x.name === o.node);
    const owner = e.s.people.find((p) => p.id === o.owner);
    if (t === undefined || owner === undefined) return [];
    const permits = `${t.name} stays out with ${owner.name}, ticket ${o.ticket}`;
    const drains = e.s.obligations.filter((x) => x.targetId === t.id && x.kind === "drain");
    return [
      decided(e, {
        kind: "release",
        on: { what: "target", id: t.id },
        choice: "hand_over",
        permits,
        reason: o.reason,
        facts: { owner: owner.id, ticket: o.ticket },
        nth: i + 1,
      }),
      { move: "released_to", targetId: t.id, personId: owner.id, ticket: o.ticket },
      ...drains.map((x): Move => ({ move: "settle", obligationId: x.id, because: permits })),
    ];
  });
}

function postMortem(e: EffectInput<"close">, end: End, now: Date): readonly Move[] {
  const { s } = e;
  if (end.state !== "DEGRADED" && s.change.urgency !== "emergency") return [];
  const trigger = end.state === "DEGRADED" ? end.because.join("; ") : "emergency";
  return [{ move: "post_mortem", ownerId: s.change.ownerId, dueAt: new Date(now.getTime() + POST_MORTEM_MS), trigger }];
}

const validationsOf = (s: Snapshot) =>
  (["fabric_validation", "spot_validation"] as const).flatMap((gate) =>
    newestOf(s, gate).map((c) => ({ name: gate.replace("_", " "), verdict: c.verdict })),
  );
