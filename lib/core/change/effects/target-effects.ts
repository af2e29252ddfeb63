import type { Move } from "@/lib/core/change/move";
import { STEP_TRAITS, type NodeStep } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import { goesBack, startsAgain } from "./going-back";
import { newCanary } from "./new-canary";
import { foreignDrainOf } from "@/lib/core/change/foreign-drain";
import { closed, decided, done, nameOf, refuse, type Effect, type EffectInput } from "./effect";

type OnTarget = EffectInput<
  | "decide-drain"
  | "ask-checkpoint"
  | "retry-node"
  | "withdraw-node"
  | "defer-node"
  | "roll-back-node"
  | "release-node"
  | "assign-investigator"
>;
const targetOf = (e: OnTarget): Target | undefined => e.s.targets.find((t) => t.name === e.request.on);
const noTarget = (e: OnTarget) => refuse("not_found", `no node of this change is called ${e.request.on}`, "look at the nodes again");
const onTarget = (t: Target) => ({ what: "target" as const, id: t.id });

/** wait: the drain gets its time again. defer, withdraw: it goes back untouched. take_over: the other agreed that the drain becomes this change's (R9.2, R9.5). */
export const decideDrain: Effect<"decide-drain"> = (e) => {
  const { s, request, now } = e;
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const theirs = foreignDrainOf(t);
  if (request.choice === "take_over" && theirs === null) return closed({ code: "settled", what: `nobody else has drained ${t.name}` });
  if (request.choice === "wait" && t.step !== "draining")
    return closed({
      code: "not_yet",
      what: `${t.name} is ${STEP_TRAITS[t.step].outcome} and waits for no job`,
      next: "take the drain over, or hand the node over",
    });
  const facts = { generation: t.generation, ...(request.choice === "take_over" ? { reason: theirs?.reason ?? null } : {}) };
  const kind = request.choice === "take_over" ? ("foreign_drain" as const) : ("drain_deadline" as const);
  const permits = {
    wait: `${t.name} waits for its jobs`,
    defer: `${t.name} is left for later`,
    withdraw: `${t.name} is left out`,
    take_over: `the drain of ${t.name}, reason "${theirs?.reason ?? ""}", becomes this change's`,
  }[request.choice];
  const decision = decided(e, { kind, on: onTarget(t), choice: request.choice, permits, reason: request.reason, facts });
  const more = { targetId: t.id, facts: { node: t.name, choice: request.choice, ...facts } };
  if (request.choice === "wait") {
    const deadlineAt = new Date(now.getTime() + s.plan.drain.deadlineMs);
    return done([decision, { move: "deadline", targetId: t.id, deadlineAt, because: request.reason }], request.reason, more);
  }
  if (request.choice === "take_over") {
    const finding = s.findings.find((f) => f.kind === "foreign_drain" && f.closedAt === null && f.key.startsWith(`foreign_drain/${t.id}/`));
    const accepted: readonly Move[] =
      finding === undefined ? [] : [{ move: "accept_finding", findingId: finding.id, decisionId: decision.id, because: request.reason }];
    const holds = s.holds.filter((h) => h.kind === "foreign_action" && h.targetId === t.id);
    const released = holds.map((h): Move => ({ move: "release_hold", holdId: h.id, byId: e.actor, reason: request.reason }));
    return done([decision, ...accepted, ...released], request.reason, more);
  }
  if (t.updateBegan) return closed({ code: "not_yet", what: `the update of ${t.name} has begun`, next: "roll it back instead" });
  return done(
    [decision, ...leaves(t, request.choice === "defer" ? "deferred" : "skipped", request.reason), ...newCanary(s, t, "it was left out")],
    request.reason,
    more,
  );
};

/** A message to the users of the jobs in the way; Clearance never kills or requeues one (R9.5). */
export const askCheckpoint: Effect<"ask-checkpoint"> = (e) => {
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const jobs = t.service.is === "value" ? t.service.value.jobs : [];
  const users = [...new Set(jobs.map((j) => j.user))];
  const text = `${t.name} is waiting for maintenance "${e.s.change.title}". Please save the state of ${jobs.map((j) => `job ${j.id} (${j.user})`).join(", ")}; it is not killed and not requeued.`;
  const message: Move = {
    move: "message",
    urgency: "message",
    key: `checkpoint/${t.name}/${e.now.toISOString()}`,
    title: `${t.name}: please checkpoint`,
    text,
  };
  return done([message], e.request.reason ?? text, { targetId: t.id, facts: { node: t.name, users, jobs: jobs.map((j) => j.id), text } });
};

/** A new pass in a batch appended behind the others; in its own one, if that has not begun. */
export const retryNode: Effect<"retry-node"> = (e) => {
  const { s } = e;
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const because = e.request.reason ?? "tried again";
  const own = s.batches.find((b) => b.number === t.batch);
  const stays = own?.state === "waiting" && !own.askedFor;
  const number = 1 + Math.max(0, ...s.batches.map((b) => b.number));
  const placed: readonly Move[] = stays ? [] : [{ move: "retry_batch", number, targets: [t.id], because: `${t.name} is tried again` }];
  const hasCanary = s.targets.some((x) => x.id !== t.id && x.classId === t.classId && x.role === "canary");
  const role: readonly Move[] =
    hasCanary || t.role === "canary" ? [] : [{ move: "role", targetId: t.id, role: "canary", because: "its class has no canary" }];
  return done([startsAgain(t, because), ...placed, ...role], because, {
    targetId: t.id,
    facts: { node: t.name, batch: stays ? t.batch : number },
  });
};

const leaveOut = (e: EffectInput<"withdraw-node" | "defer-node">, to: "skipped" | "deferred") => {
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const moves = leaves(t, to, e.request.reason);
  if (moves.length === 0)
    return closed({
      code: "not_yet",
      what: `${t.name} is ${STEP_TRAITS[t.step].outcome} and cannot be ${to}`,
      next: to === "deferred" ? "withdraw it instead" : "decide on it",
    });
  const choice = to === "skipped" ? "withdraw" : "defer";
  const permits = to === "skipped" ? `the change ends without ${t.name}` : `${t.name} is left for a later change`;
  const decision = decided(e, {
    kind: "leave_out",
    on: onTarget(t),
    choice,
    permits,
    reason: e.request.reason,
    facts: { generation: t.generation },
  });
  return done([decision, ...moves, ...newCanary(e.s, t, "it was left out")], e.request.reason, { targetId: t.id, facts: { node: t.name } });
};
export const withdrawNode: Effect<"withdraw-node"> = (e) => leaveOut(e, "skipped");
export const deferNode: Effect<"defer-node"> = (e) => leaveOut(e, "deferred");

/** Straight away where nothing of ours is out there yet; else the node is given back first. `stage` says where it goes from there. */
function leaves(t: Target, to: "skipped" | "deferred", because: string): readonly Move[] {
  const next: readonly NodeStep[] = STEP_TRAITS[t.step].next;
  const step = { move: "target" as const, id: t.id, from: t.step, aim: t.aim, generation: t.generation, deadlineAt: null, because };
  if (next.includes(to)) return [{ ...step, to, stage: 0 }];
  return next.includes("releasing") ? [{ ...step, to: "releasing", stage: to === "skipped" ? 1 : 2 }] : [];
}

/** Back to the saved versions by a person's decision, whatever the node's verdict (R8.4). */
export const rollBackNode: Effect<"roll-back-node"> = (e) => {
  const { s, request } = e;
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const back = goesBack(t, request.reason);
  if (back.length === 0) return closed({ code: "settled", what: `nothing of ${t.name} can go back` });
  const permits = `${t.name} goes back to the old version`;
  const decision = decided(e, {
    kind: "roll_back",
    on: onTarget(t),
    choice: "roll_back",
    permits,
    reason: request.reason,
    facts: { from: t.step },
  });
  const state: readonly Move[] =
    s.change.state === "ROLLBACK" ? [] : [{ move: "change", to: "ROLLBACK", outcome: null, because: `${t.name} goes back by decision` }];
  return done([decision, ...state, ...back], request.reason, { targetId: t.id, facts: { node: t.name } });
};

/** Its place is freed; its drain belongs to somebody else from now on, with a ticket (R6.1, R12.4). */
export const releaseNode: Effect<"release-node"> = (e) => {
  const { s, request } = e;
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const owner = s.people.find((p) => p.id === request.owner);
  if (owner === undefined) return refuse("invalid", `nobody is called ${request.owner}`, "name a person by id");
  const facts = { owner: owner.id, ticket: request.ticket };
  const next = newCanary(s, t, "it was handed over");
  const canary = next.flatMap((m) =>
    m.move === "role" && m.role === "canary" ? (s.targets.find((x) => x.id === m.targetId)?.name ?? []) : [],
  );
  const permits = `${t.name} stays out with ${owner.name}, ticket ${request.ticket}; its place is free${canary.length === 0 ? "" : `, and ${canary.join(", ")} becomes the canary`}`;
  const decision = decided(e, { kind: "release", on: onTarget(t), choice: "release", permits, reason: request.reason, facts });
  const because = `handed over to ${owner.name}, ticket ${request.ticket}`;
  const drains = s.obligations.filter((o) => o.targetId === t.id && o.kind === "drain");
  const settled = drains.map((o): Move => ({ move: "settle", obligationId: o.id, because }));
  // What somebody else did to its drain is now theirs and the new owner's to settle; nothing of this change waits for it.
  const foreign = s.findings.filter((f) => f.closedAt === null && f.key.startsWith(`foreign_drain/${t.id}/`));
  const over = foreign.map((f): Move => ({ move: "close_finding", key: f.key, because }));
  return done(
    [
      decision,
      { move: "released_to", targetId: t.id, personId: owner.id, ticket: request.ticket },
      {
        move: "target",
        id: t.id,
        from: t.step,
        to: "released",
        aim: t.aim,
        stage: 0,
        generation: t.generation,
        deadlineAt: null,
        because: request.reason,
      },
      ...settled,
      ...over,
      ...next,
    ],
    request.reason,
    { targetId: t.id, facts: { node: t.name, ...facts } },
  );
};

export const assignInvestigator: Effect<"assign-investigator"> = (e) => {
  const t = targetOf(e);
  if (t === undefined) return noTarget(e);
  const to = e.s.people.find((p) => p.id === e.request.to);
  if (to === undefined) return refuse("invalid", `nobody is called ${e.request.to}`, "name a person by id");
  const move: Move = { move: "investigator", targetId: t.id, personId: to.id };
  return done([move], e.request.reason ?? `${nameOf(e.s, to.id)} investigates ${t.name}`, {
    targetId: t.id,
    facts: { node: t.name, to: to.id },
  });
};
