import { baselineFault } from "@/lib/core/change/gate-before-touch";
import { classesInPlay, labelOfClass } from "@/lib/core/change/class-in-play";
import { freezeReasons, spacingReasons } from "@/lib/core/change/start-conditions";
import { windowFits } from "@/lib/core/window/window";
import { batchEstimateMs } from "@/lib/core/change/estimate";
import { GATE_PROFILES } from "@/lib/core/change/gate-profiles";
import type { Move } from "@/lib/core/change/move";
import { preflightChecks } from "@/lib/core/change/preflight";
import type { Target } from "@/lib/core/change/target";
import { rehearsalFinding } from "@/lib/core/change/rehearsal-finding";
import { closed, decided, done, refuse, type Effect } from "./effect";

/** A part of a class becomes a class of its own, with its own canary and its own evidence (R3.1). */
export const splitClass: Effect<"split-class"> = (e) => {
  const { s, request } = e;
  const from = s.classes.find((c) => c.label === request.on);
  if (from === undefined) return refuse("not_found", `no class is called ${request.on}`, "look at the classes again");
  const members = s.targets.filter((t) => t.classId === from.id);
  const strange = request.nodes.find((n) => !members.some((t) => t.name === n));
  if (strange !== undefined) return refuse("invalid", `${strange} is not of class ${from.label}`, "name nodes of the class");
  const part = members.filter((t) => request.nodes.includes(t.name));
  if (part.length === members.length) return refuse("invalid", "nobody would stay in the class", "name a part of its nodes");
  const label = `${from.label}#${request.part}`;
  if (s.classes.some((c) => c.label === label)) return refuse("invalid", `${label} exists`, "choose another name for the part");
  const on = { what: "class" as const, id: String(from.id) };
  const decision = decided(e, {
    kind: "class_split",
    on,
    choice: "split",
    permits: `evidence of its own for ${label}`,
    reason: request.reason,
    facts: { nodes: request.nodes },
  });
  const rest = members.filter((t) => !part.includes(t));
  const made: Move = {
    move: "node_class",
    label,
    part: request.part,
    madeFrom: [from.id],
    decisionId: decision.id,
    targets: part.map((t) => t.id),
  };
  return done([decision, made, ...canaryFor(part, label), ...canaryFor(rest, from.label)], request.reason, {
    facts: { label, nodes: request.nodes },
  });
};

/** Classes become one again: an approver says that evidence about one is evidence about all of them. */
export const mergeClasses: Effect<"merge-classes"> = (e) => {
  const { s, request } = e;
  const names = [...new Set([request.on, ...request.classes])];
  const classes = names.flatMap((n) => s.classes.filter((c) => c.label === n));
  if (classes.length !== names.length) return refuse("invalid", "one of the classes is unknown", "look at the classes again");
  if (classes.length < 2) return refuse("invalid", "a merge needs two classes", "name another one");
  const label = names
    .map((n) => n)
    .join(" + ")
    .slice(0, 200);
  const members = s.targets.filter((t) => classes.some((c) => c.id === t.classId));
  const on = { what: "class" as const, id: String(classes[0]?.id ?? "") };
  const decision = decided(e, {
    kind: "class_merge",
    on,
    choice: "merge",
    permits: `one canary for ${label}`,
    reason: request.reason,
    facts: { classes: names },
  });
  const made: Move = {
    move: "node_class",
    label,
    part: "merged",
    madeFrom: classes.map((c) => c.id),
    decisionId: decision.id,
    targets: members.map((t) => t.id),
  };
  const extra = members.filter((t) => t.role === "canary").slice(1);
  const roles = extra.map((t): Move => ({ move: "role", targetId: t.id, role: "member", because: `${label} has one canary` }));
  return done([decision, made, ...roles], request.reason, { facts: { label, classes: names } });
};

/** A class that lost its canary to the other part takes its first node by batch and name. */
function canaryFor(members: readonly Target[], label: string): readonly Move[] {
  if (members.some((t) => t.role === "canary")) return [];
  const [first] = members;
  return first === undefined ? [] : [{ move: "role", targetId: first.id, role: "canary", because: `${label} needs a canary of its own` }];
}

/** One version of a job per class, with a baseline that can be compared with it or the promise to capture one (R3.2, R3.3). */
export const lockJob: Effect<"lock-job"> = (e) => {
  const { s, request } = e;
  const moves: Move[] = [];
  for (const asked of request.jobs) {
    const cls = s.classes.find((c) => c.label === asked.class);
    if (cls === undefined) return refuse("invalid", `no class is called ${asked.class}`, "look at the classes again");
    const job = s.available.find(
      (a) => a.classId === cls.id && (a.jobId === asked.job || `${a.spec.name}@${a.spec.version}` === asked.job),
    );
    if (job === undefined)
      return refuse("invalid", `${asked.job} is no published acceptance job for ${asked.class}`, "publish it, or choose another");
    const capture = asked.baseline === "capture";
    const baseline = job.baselines.find((b) => b.id === asked.baseline) ?? null;
    if (!capture && baseline === null)
      return refuse("invalid", `${asked.baseline} is no baseline of ${asked.job} for ${asked.class}`, "choose one, or capture");
    const line = {
      classId: cls.id,
      jobId: job.jobId,
      spec: job.spec,
      baseline,
      capture,
      fingerprint: s.change.planFingerprint,
      lockedAt: e.now,
      lockedById: e.actor,
    };
    const fault = capture ? null : baselineFault(line);
    if (fault !== null) return refuse("invalid", `${asked.class}: ${fault}`, "choose another baseline, or capture");
    moves.push({ move: "lock_job", classId: cls.id, jobId: job.jobId, baselineId: baseline?.id ?? null, capture, byId: e.actor });
  }
  const locked = moves.flatMap((m) => (m.move === "lock_job" ? [m.classId] : []));
  const twice = locked.some((id, i) => locked.indexOf(id) !== i);
  const left = classesInPlay(s).find((id) => !locked.includes(id) && !s.jobs.some((j) => j.classId === id));
  if (twice) return refuse("invalid", "a class is named twice", "one job per class");
  if (left !== undefined) return refuse("invalid", `${labelOfClass(s, left)} is left without a job`, "lock one for every class");
  return done(moves, request.reason ?? "jobs, baselines and classes are locked for this revision", { facts: { jobs: request.jobs } });
};

/** The canary stands before its update with an unusable baseline: its runs are asked for again. */
export const captureBaseline: Effect<"capture-baseline"> = (e) => {
  const { s, request, now, policy } = e;
  const cls = s.classes.find((c) => c.label === request.on);
  const canary = s.targets.find((t) => t.classId === cls?.id && t.role === "canary" && t.step === "unresolved");
  const check = s.checks.find((c) => c.gate === "baseline" && c.targetId === canary?.id && c.generation === canary?.generation);
  if (canary === undefined || check === undefined)
    return refuse("not_found", "no canary waits for its baseline", "look at the canary again");
  const dueAt = new Date(now.getTime() + policy.commandMs);
  return done(
    [{ move: "check_again", checkId: check.id, settlesAt: now, dueAt, because: "the baseline is measured again" }],
    request.reason ?? "measured again",
    { targetId: canary.id },
  );
};

/** What a finished rehearsal on a disposable cluster proves, taken from its own record (R4.6). */
export const linkRehearsal: Effect<"link-rehearsal"> = (e) => {
  const { request, rehearsal, s } = e;
  if (rehearsal === undefined || rehearsal === null)
    return refuse("not_found", `there is no rehearsal ${request.rehearsal}`, "name a change that was a rehearsal");
  if (rehearsal.change.id === s.change.id) return refuse("invalid", "a change does not rehearse itself", "name another change");
  const found = rehearsalFinding(rehearsal, request.kind);
  if (!found.ok) return refuse("invalid", found.error.because, "link one that proves it");
  if (s.rehearsals.some((r) => r.rehearsalId === rehearsal.change.id && r.kind === request.kind))
    return refuse("closed", "it is linked already", "nothing to do");
  return done(
    [{ move: "link_rehearsal", rehearsalId: rehearsal.change.id, kind: request.kind, finding: found.value, byId: e.actor }],
    request.reason ?? found.value.text,
    { facts: { rehearsal: rehearsal.change.id, kind: request.kind, text: found.value.text } },
  );
};

/** Booked or moved; spacing and freezes are kept already now, and read again at the start (R11.1, R11.3). */
export const bookWindow: Effect<"book-window"> = (e) => {
  const { s, request, policy } = e;
  const startsAt = new Date(request.start);
  const endsAt = new Date(request.end);
  if (startsAt >= endsAt) return refuse("invalid", "the window ends before it starts", "correct the times");
  if (endsAt <= e.now) return refuse("invalid", "the window is over", "choose a later one");
  if (!isTimeZone(request.timezone)) return refuse("invalid", `${request.timezone} is no time zone`, "use a name such as Europe/Berlin");
  const moved = request.on === undefined ? undefined : s.windows.find((w) => w.id === request.on);
  const overlapping = s.windows.find((w) => w.id !== moved?.id && w.startsAt < endsAt && startsAt < w.endsAt);
  if (overlapping !== undefined)
    return refuse("invalid", `it overlaps the window from ${overlapping.startsAt.toISOString()}`, "move that one instead");
  if (GATE_PROFILES[s.change.profile].start === "window_spacing_freeze") {
    const [kept] = [...spacingReasons(s, policy, startsAt), ...freezeReasons(s, startsAt, endsAt)];
    if (kept !== undefined) return closed(kept);
    const needMs = batchEstimateMs(s);
    const fits = windowFits([{ startsAt, endsAt }], needMs, startsAt);
    if (fits.is === "too_short") return closed({ code: "window_too_short", needMs, leftMs: fits.leftMs });
  }
  const id = moved?.id ?? e.id;
  const move: Move = { move: "window", id, startsAt, endsAt, timezone: request.timezone, byId: e.actor, state: "booked" };
  return done([move], request.reason ?? (moved === undefined ? "booked" : "moved"), {
    facts: { ["window"]: id, start: startsAt.toISOString(), end: endsAt.toISOString() },
  });
};

export const cancelWindow: Effect<"cancel-window"> = (e) => {
  const booking = e.s.windows.find((w) => w.id === e.request.on);
  if (booking === undefined) return refuse("not_found", `no window is called ${e.request.on}`, "look at the windows again");
  return done([{ move: "window", ...booking, byId: e.actor, state: "cancelled" }], e.request.reason ?? "dropped", {
    facts: { ["window"]: booking.id },
  });
};

/** Writes every row; the worker judges them as their facts come (R7.7). */
export const runPreflight: Effect<"run-preflight"> = (e) => {
  const rows = preflightChecks(e.s, e.now).map((check): Move => ({ move: "check", check }));
  const moves: Move[] = [{ move: "preflight", passedAt: null, because: "preflight runs again" }, ...rows];
  if (e.s.change.state === "PENDING") moves.unshift({ move: "change", to: "PREFLIGHT", outcome: null, because: "preflight was asked for" });
  return done(moves, e.request.reason ?? "preflight was asked for", { facts: { rows: rows.length } });
};

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
