import { findingReason } from "@/lib/core/change/approval";
import { batchesInOrder, isUndecided, membersOf } from "@/lib/core/change/batch-rules";
import type { Batch } from "@/lib/core/change/batch";
import { capacity, thatFit } from "@/lib/core/change/capacity";
import { gatesBefore, gateStates, type GateStates } from "@/lib/core/change/gate";
import type { Move } from "@/lib/core/change/move";
import type { Reason } from "@/lib/core/change/reason";
import { nodesPerLeaf } from "@/lib/core/change/relaxation";
import { sentence } from "@/lib/core/change/sentence";
import { classReasons } from "@/lib/core/change/sign-off-rules";
import type { Snapshot } from "@/lib/core/change/snapshot";
import { startConditions } from "@/lib/core/change/start-conditions";
import { isInHand, STEP_TRAITS } from "@/lib/core/change/step";
import type { Target } from "@/lib/core/change/target";
import type { Wait } from "@/lib/core/change/wait";
import type { GateId } from "@/lib/core/check/gate-id";
import { GATES } from "@/lib/core/check/gate-id";
import type { Look } from "./look";
import type { Followed } from "./next-step";
import { takeTargets } from "./take-targets";

const NOTHING: Followed = { moves: [], commands: [], waits: [] };
const because = (waits: readonly Wait[]): Followed => ({ moves: [], commands: [], waits });
const waitOn = (what: "change" | "batch", id: string, reason: Reason, until: Date | null = null): Wait => ({
  about: { what, id },
  because: reason,
  until,
});

/**
 * Takes new targets: canaries first, then one batch at a time whose classes are all signed, as many as fit (R5.4, R6). Nobody goes out while a gate
 * before `canary` is open, a start condition is unmet, something is held, or a batch is undecided.
 */
export function startTargets(look: Look): Followed {
  const { s } = look;
  if (s.change.state !== "IN_PROGRESS" || !s.targets.some((t) => t.step === "waiting")) return NOTHING;
  const states = gateStates(s, look.policy, look.now);
  const gates = gatesBefore(states, "canary").length > 0 ? openGates(states, GATES.slice(0, GATES.indexOf("canary")), s) : [];
  const closed = [...gates, ...startConditions(s, look.policy, look.now)];
  if (closed.length > 0) return because(closed.map((reason) => waitOn("change", s.change.id, reason)));
  const canaries = s.targets.filter((t) => t.role === "canary" && t.step === "waiting");
  const first = canaries.length === 0 ? NOTHING : startCanaries(look, canaries);
  return first.moves.length > 0 ? first : merge(first, startBatch(look, states));
}

const merge = (a: Followed, b: Followed): Followed => ({
  moves: [...a.moves, ...b.moves],
  commands: [...a.commands, ...b.commands],
  waits: [...a.waits, ...b.waits],
});

const openGates = (states: GateStates, gates: readonly GateId[], s: Snapshot): readonly Reason[] =>
  gates.flatMap((gate): readonly Reason[] => {
    const state = states[gate];
    if (state.is === "done" || state.is === "not_applicable") return [];
    return [{ code: "gate_open", gate, because: state.because.map((r) => sentence(r, namesOf(s))).join(" ") }];
  });

const namesOf = (s: Snapshot) => ({ person: (id: string) => s.people.find((p) => p.id === id)?.name ?? id });

/** Alone: not beside a batch, and among themselves by the leaf rule. */
function startCanaries(look: Look, canaries: readonly Target[]): Followed {
  const { s } = look;
  const operators = s.change.people.operator.length > 0 ? s.change.people.operator : [s.change.operatorId];
  if (!s.change.canariesAskedFor) {
    if (s.change.advance === "manual")
      return because([waitOn("change", s.change.id, { code: "waiting_for_person", action: "start-canary", who: operators })]);
    return { moves: [{ move: "ask_canaries", because: "advance: auto, every gate before the canaries is done" }], commands: [], waits: [] };
  }
  const busy = s.targets.find((t) => t.role !== "canary" && isInHand(t.step));
  if (busy !== undefined)
    return because(
      canaries.map((t) =>
        waitOn("change", s.change.id, {
          code: "not_yet",
          what: `batch ${busy.batch} is under way`,
          next: `${t.name} starts when it is through`,
        }),
      ),
    );
  const { apart, waits } = keptApart(s, canaries, nodesPerLeaf(s, look.now));
  const fit = thatFit(apart, room(s));
  const taken = takeTargets(look, fit, "canary: the first of its class");
  const left = apart.slice(fit.length);
  const full = left.length === 0 ? [] : [waitOn("change", s.change.id, noRoom(s))];
  return { ...taken, waits: [...waits, ...full] };
}

/** Those that share no leaf beyond the rule with what is out or goes out now. */
function keptApart(
  s: Snapshot,
  wanted: readonly Target[],
  perLeaf: number,
): { readonly apart: readonly Target[]; readonly waits: readonly Wait[] } {
  if (!s.plan.leafRule.apply) return { apart: wanted, waits: [] };
  const out: Target[] = s.targets.filter((t) => STEP_TRAITS[t.step].holdsSlot);
  const apart: Target[] = [];
  const waits: Wait[] = [];
  for (const t of wanted) {
    const full = t.leaves.find((leaf) => out.filter((o) => o.leaves.includes(leaf)).length >= perLeaf);
    if (full === undefined) {
      apart.push(t);
      out.push(t);
    } else {
      const other = out.find((o) => o.leaves.includes(full))?.name ?? "another node";
      waits.push({
        about: { what: "target", id: t.id },
        because: { code: "not_yet", what: `${other} on the same leaf is out`, next: `${t.name} starts when it is back` },
        until: null,
      });
    }
  }
  return { apart, waits };
}

function startBatch(look: Look, states: GateStates): Followed {
  const { s } = look;
  const closed = betweenBatches(look);
  if (closed.length > 0) return because(closed.map((reason) => waitOn("change", s.change.id, reason)));
  const waiting = batchesInOrder(s).filter((b) => b.state !== "withdrawn" && waitingOf(s, b).length > 0);
  const waits: Wait[] = [];
  for (const batch of waiting) {
    const classes = [...new Set(waitingOf(s, batch).map((t) => t.classId))];
    const reasons = classes.flatMap((id) => classReasons(s, id, look.policy, look.now));
    if (reasons.length === 0) return merge(because(waits), startOne(look, batch));
    // One wait is enough to say why: the gate that is open, for the first batch it closes.
    if (waits.length > 0) continue;
    const open = openGates(states, ["canary", "acceptance_report", "sign_off", "second_reading"], s).slice(0, 1);
    waits.push(...(open.length > 0 ? open : reasons.slice(0, 1)).map((reason) => waitOn("batch", String(batch.number), reason)));
  }
  return because(waits);
}

const waitingOf = (s: Snapshot, batch: Batch): readonly Target[] => membersOf(s, batch.number).filter((t) => t.step === "waiting");

/** Why no batch at all may start now. */
function betweenBatches(look: Look): readonly Reason[] {
  const { s } = look;
  const undecided = s.batches.filter((b) => isUndecided(s, b));
  const busy = s.targets.find((t) => isInHand(t.step));
  return [
    ...undecided.map((b): Reason => ({ code: "batch_undecided", batch: b.number })),
    ...s.findings.filter((f) => f.blocks && f.closedAt === null && f.kind !== "plan").map(findingReason),
    ...(busy !== undefined && undecided.length === 0
      ? [
          {
            code: "not_yet" as const,
            what: `${busy.name} of batch ${busy.batch} is under way`,
            next: "the next batch starts when it is through",
          },
        ]
      : []),
  ];
}

function startOne(look: Look, batch: Batch): Followed {
  const { s, now } = look;
  const about = (reason: Reason, until: Date | null = null): Followed => because([waitOn("batch", String(batch.number), reason, until)]);
  if (batch.notBefore !== null && batch.notBefore > now)
    return about({ code: "batch_delay", until: batch.notBefore, because: "time between batches" }, batch.notBefore);
  if (!batch.askedFor) {
    const who = s.change.people.operator.length > 0 ? s.change.people.operator : [s.change.operatorId];
    if (s.change.advance === "manual") return about({ code: "waiting_for_person", action: "start-batch", who });
    return { moves: [{ move: "ask_batch", number: batch.number, because: "advance: auto" }], commands: [], waits: [] };
  }
  const wanted = waitingOf(s, batch);
  const most = Math.min(wanted.length, s.narrowing.batchSize ?? wanted.length);
  const fit = thatFit(wanted.slice(0, most), room(s));
  if (fit.length === 0) return about(noRoom(s));
  const rest = wanted.slice(fit.length);
  const taken = takeTargets(look, fit, `batch ${batch.number}`);
  const number = Math.max(...s.batches.map((b) => b.number)) + 1;
  const extra: readonly Move[] =
    rest.length === 0
      ? []
      : [
          {
            move: "extra_batch",
            number,
            extraOf: batch.number,
            targets: rest.map((t) => t.id),
            because: `${fit.length} of ${wanted.length} fit now`,
          },
        ];
  const begun: Move = {
    move: "batch",
    number: batch.number,
    to: "running",
    notBefore: batch.notBefore,
    because: `${fit.length} nodes start`,
  };
  return { moves: [begun, ...extra, ...taken.moves], commands: taken.commands, waits: [] };
}

const room = (s: Snapshot) => capacity(s.limits, s.targets, s.others, s.totalGpus);

function noRoom(s: Snapshot): Reason {
  const c = room(s);
  return c.freeNodes < 1
    ? {
        code: "no_room",
        limit: "total",
        allowed: c.limits.totalNodes,
        unit: "nodes",
        takenBy: [...new Set([...c.ours.names, ...c.others.map((o) => o.name)])],
      }
    : { code: "no_room", limit: "own", allowed: c.limits.ownGpus, unit: "GPUs", takenBy: c.ours.names };
}
