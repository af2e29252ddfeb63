import type { GateId } from "@/lib/core/check/gate-id";
import type { ActionState, NextAction } from "./action-state";
import type { Action } from "./actions";
import { isUndecided, membersOf, nextBatch } from "./batch-rules";
import { stopDecided } from "./decision-rules";
import { gateStates, lackingIn, type GateStates } from "./gate";
import { foreignDrainOf } from "./foreign-drain";
import { newestPreflight } from "./gate-of-preflight";
import { labelOfClass } from "./class-in-play";
import { newestOf } from "./gate-of-end";
import { HOLD_TRAITS } from "./hold";
import { permittedActions } from "./permitted-actions";
import { wayOutOfCanary, wayOutOfFull } from "./next-way-out";
import type { Obligation } from "./obligation";
import type { Policy } from "./policy";
import type { Reason } from "./reason";
import type { Snapshot } from "./snapshot";
import { rehearsalReasonsFor } from "./rehearsal-need";
import { bindsToWindows, nextOpening, openWindow, startConditions } from "./start-conditions";
import { isInHand, STEP_TRAITS } from "./step";
import type { Wait } from "./wait";

type Look = {
  readonly s: Snapshot;
  readonly policy: Policy;
  readonly now: Date;
  readonly gates: GateStates;
  readonly states: readonly ActionState[];
  readonly start: readonly Reason[];
};

/** The first thing on the path, and who does it: a person, the worker, or nobody any more (R7.4). */
export function nextAction(s: Snapshot, policy: Policy, now: Date): NextAction {
  if (s.change.endedAt !== null) return { by: "nobody", because: "the change has ended" };
  const look: Look = {
    s,
    policy,
    now,
    gates: gateStates(s, policy, now),
    states: permittedActions(s, policy, now),
    start: startConditions(s, policy, now),
  };
  return undecided(look) ?? whileRunning(look) ?? held(look) ?? stopped(look) ?? onThePath(look) ?? atTheEnd(look);
}

/** Somebody has to decide: a failed batch, a check without evidence, a node nobody has settled. */
function undecided(look: Look): NextAction | null {
  const { s } = look;
  if (s.change.state === "ROLLBACK") return worker("nodes go back to the old version", []);
  const decide = open(look, "decide");
  if (decide !== null) return person(decide);
  for (const batch of s.batches.filter((b) => isUndecided(s, b))) {
    const members = membersOf(s, batch.number);
    for (const t of members.filter((m) => m.step === "unresolved")) {
      const checks = s.checks.filter((c) => c.targetId === t.id && c.generation === t.generation);
      if (checks.some((c) => c.verdict === null && c.settlesAt !== null)) continue;
      const first =
        checks
          .map((c) => open(look, "judge", c.id) ?? open(look, "run-check", c.id) ?? open(look, "waive", c.id))
          .find((a) => a !== null) ??
        open(look, "capture-baseline", labelOfClass(s, t.classId)) ??
        // A drain that is not ours any more is left alone, so the node can only be handed over (R9.2).
        (foreignDrainOf(t) !== null ? null : (open(look, "roll-back-node", t.name) ?? open(look, "defer-node", t.name))) ??
        open(look, "release-node", t.name);
      if (first !== undefined && first !== null) return person(first);
    }
    for (const t of members.filter((m) => m.step === "failed" || m.step === "rollback_failed")) {
      const next = (t.step === "failed" ? open(look, "roll-back-node", t.name) : null) ?? open(look, "release-node", t.name);
      if (next !== null) return person(next);
    }
  }
  return null;
}

/** Nodes are under way: the worker goes on; what a person may already read or sign does not wait for it. */
function whileRunning(look: Look): NextAction | null {
  const { s } = look;
  const moving = s.targets.filter((t) => isInHand(t.step));
  if (moving.length === 0) return null;
  // A node whose update has begun goes on to its end whoever touched its drain (R8.2); what becomes of it is asked then.
  const draining = moving.filter((t) => !STEP_TRAITS[t.step].touched).map((t) => open(look, "decide-drain", t.name));
  const drain = draining.find((state) => state !== null);
  if (drain !== undefined && drain !== null) return person(drain);
  const onHold = s.holds.length > 0 && moving.every((t) => !STEP_TRAITS[t.step].goesOnWhenHeld);
  if (onHold) return null;
  return worker(`${moving.length} ${moving.length === 1 ? "node is" : "nodes are"} under way`, []);
}

function held(look: Look): NextAction | null {
  const [hold] = look.s.holds;
  if (hold === undefined) return null;
  const resume = open(look, "resume");
  if (resume !== null) return person(resume);
  if (HOLD_TRAITS[hold.kind].liftedBy === "rule") return worker("waits until the hold ends by itself", waits(look, look.start));
  return { by: "nobody", because: `held: ${hold.because}` };
}

function stopped(look: Look): NextAction | null {
  return stopDecided(look.s, look.now) === null ? null : atTheEnd(look);
}

/** The first open gate names the action; a closed action names what is in its way. */
function onThePath(look: Look): NextAction | null {
  const gate = (Object.keys(look.gates) as GateId[]).find((id) => look.gates[id].is === "open");
  switch (gate) {
    case "acceptance_job":
    case "baseline":
      return firstOpen(look, ["lock-job", "accept-finding", "edit-plan"]);
    case "rehearsal": {
      const accept =
        rehearsalReasonsFor(look.s, "failure", look.now).length === 0 ? open(look, "accept-finding", "recovery_untested") : null;
      return accept === null ? firstOpen(look, ["link-rehearsal"]) : person(accept);
    }
    case "plan_approval":
      return open(look, "approve-plan") === null ? firstOpen(look, ["accept-finding", "edit-plan"]) : firstOpen(look, ["approve-plan"]);
    case "preflight":
      return preflight(look);
    case "canary":
      return (
        (open(look, "start-canary") ? null : wayOut(look)) ??
        touch(look, "start-canary", look.s.change.canariesAskedFor, "the canaries start")
      );
    case "acceptance_report":
      return firstOpen(look, ["judge", "run-check", "reject-canary"]) ?? wayOut(look) ?? worker("the canary report is written", []);
    case "sign_off":
      return firstOpen(look, ["sign-off", "reject-canary"]) ?? wayOut(look);
    case "second_reading":
      return firstOpen(look, ["record-reading", "accept-finding"]);
    case "batches": {
      const batch = nextBatch(look.s);
      return batch === null ? null : touch(look, "start-batch", batch.askedFor, `batch ${batch.number} starts`);
    }
    case "fabric_validation":
      return validation(look, "fabric_validation", "run-fabric-validation");
    case "spot_validation":
      return validation(look, "spot_validation", "run-spot-validation");
    default:
      return null;
  }
}

/** A class whose canary is lost: a person brings one through again, names another or leaves the class out (R5.4). */
function wayOut(look: Look): NextAction | null {
  const state = wayOutOfCanary(look.s, look.policy, look.now, (action, on) => open(look, action, on));
  return state === null ? null : person(state);
}

function preflight(look: Look): NextAction {
  const { s, now } = look;
  const rows = newestPreflight(s);
  const running = s.change.state !== "PENDING" && rows.some((c) => c.verdict === null);
  if (running) return worker("preflight is judged", []);
  if (bindsToWindows(s) && openWindow(s, now) === null && nextOpening(s, now) === null) {
    const book = open(look, "book-window");
    if (book !== null) return person(book);
  }
  const unresolved = rows
    .filter((c) => c.verdict === "unresolved")
    .map((c) => open(look, "run-check", c.id))
    .find((a) => a !== null);
  if (s.change.state !== "PENDING" && unresolved !== undefined && unresolved !== null) return person(unresolved);
  return firstOpen(look, ["run-preflight"]) ?? worker("preflight is judged", []);
}

/** Something takes nodes out: a person asks for it, or the worker does with `advance: auto`; until then whatever is in the way. */
function touch(look: Look, action: "start-canary" | "start-batch", askedFor: boolean, doing: string): NextAction {
  const { s, now } = look;
  const state = open(look, action);
  if (state !== null) return s.change.advance === "auto" ? worker(doing, []) : person(state);
  if (bindsToWindows(s) && openWindow(s, now) === null && nextOpening(s, now) === null) {
    const book = open(look, "book-window");
    if (book !== null) return person(book);
  }
  if (look.start.some((r) => r.code === "preflight_old")) {
    const again = open(look, "run-preflight");
    if (again !== null && s.change.advance === "manual") return person(again);
  }
  const finding = look.s.findings.some((f) => f.blocks && f.closedAt === null) ? open(look, "accept-finding") : null;
  if (finding !== null) return person(finding);
  const full = askedFor && look.start.length === 0 ? wayOutOfFull(s, now, action, (what, on) => open(look, what, on)) : null;
  if (full !== null) return person(full);
  const closed = look.states.find((x) => x.action === action && !x.permitted);
  const because = closed !== undefined && !closed.permitted ? closed.because : look.start;
  return worker(askedFor ? doing : `waits until ${doing.replace(/ start(s?)$/, " may start")}`, waits(look, because));
}

function validation(
  look: Look,
  gate: "fabric_validation" | "spot_validation",
  action: "run-fabric-validation" | "run-spot-validation",
): NextAction {
  const rows = newestOf(look.s, gate);
  if (rows.some((c) => c.verdict === null)) return worker(`${gate.replace("_", " ")} runs`, []);
  const run = open(look, action);
  if (run !== null && rows.length > 0) return person(run);
  if (run !== null) return look.s.change.advance === "auto" ? worker(`${gate.replace("_", " ")} runs`, []) : person(run);
  return { by: "nobody", because: `${gate.replace("_", " ")} cannot run yet` };
}

function atTheEnd(look: Look): NextAction {
  const { s, gates } = look;
  if (lackingIn(gates.definition_agrees).length > 0 && s.change.startedAt !== null) {
    const confirm = open(look, "confirm-definition");
    if (confirm !== null) return person(confirm);
    const rows = newestOf(s, "definition_agrees");
    const upload = rows.map((c) => open(look, "upload-evidence", c.id)).find((a) => a !== null);
    if (upload !== undefined && upload !== null) return person(upload);
  }
  if (s.obligations.some((o) => isBeingGivenBack(s, o))) return worker("the reservation of the validation is given back", []);
  return (
    firstOpen(look, ["close", "settle-obligation", "accept-finding"]) ?? {
      by: "nobody",
      because: "the change cannot be closed yet, and nothing is left to do by itself: see why close is closed",
    }
  );
}

/** The worker ends the reservation of a validation by itself; a person settles it only when the worker could not (R12.4). */
function isBeingGivenBack(s: Snapshot, owed: Obligation): boolean {
  if (owed.kind !== "reservation" || owed.targetId !== null) return false;
  const ends = s.commands.filter((c) => c.request.kind === "unreserve" && c.request.name === owed.name);
  return !ends.some((c) => c.finishedAt !== null && c.outcome?.result !== "done");
}

const open = (look: Look, action: Action, on?: string): ActionState | null =>
  look.states.find((x) => x.action === action && x.permitted && (on === undefined || x.on === on)) ?? null;
/** The first that somebody may do; if nobody may do any of them, the first all the same, so that it shows who is missing. */
const firstOpen = (look: Look, actions: readonly Action[]): NextAction | null => {
  const found = actions.map((action) => look.states.filter((x) => x.action === action && x.permitted)).flat();
  const first = found.find((state) => state.who.people.length > 0) ?? found[0];
  return first === undefined ? null : person(first);
};
const person = (state: ActionState): NextAction => ({ by: "person", action: state.action, on: state.on, who: state.who.people });
const worker = (doing: string, because: readonly Wait[]): NextAction => ({ by: "worker", doing, waits: because });
const waits = (look: Look, because: readonly Reason[]): readonly Wait[] =>
  because.map((reason) => ({
    about: { what: "change" as const, id: look.s.change.id },
    because: reason,
    until: "until" in reason ? reason.until : reason.code === "window_closed" ? reason.opensAt : null,
  }));
