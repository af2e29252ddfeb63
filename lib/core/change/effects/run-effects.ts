import { validationChecks } from "@/lib/core/check/group";
import { checkId } from "@/lib/core/check/write-checks";
import { HOLD_TRAITS } from "@/lib/core/change/hold";
import type { Move } from "@/lib/core/change/move";
import { newestOf } from "@/lib/core/change/gate-of-end";
import type { CheckView } from "@/lib/core/change/snapshot";
import type { Policy } from "@/lib/core/change/policy";
import { decided, done, onChange, refuse, type Effect, type EffectInput } from "./effect";

export const startCanary: Effect<"start-canary"> = (e) => {
  const names = e.s.targets.filter((t) => t.role === "canary" && t.step === "waiting").map((t) => t.name);
  const because = e.request.reason ?? `canaries ${names.join(", ")}`;
  return done([{ move: "ask_canaries", because }], because, { facts: { canaries: names } });
};

export const startBatch: Effect<"start-batch"> = (e) => {
  const number = Number(e.request.on);
  const names = e.s.targets.filter((t) => t.batch === number && t.step === "waiting").map((t) => t.name);
  const because = e.request.reason ?? `batch ${number}: ${names.join(", ")}`.slice(0, 2000);
  return done([{ move: "ask_batch", number, because }], because, { facts: { batch: number, nodes: names } });
};

/** No new node, no step that takes one out; what is being written runs to its end and is judged (R7.6). */
export const pause: Effect<"pause"> = (e) => {
  const { s, request } = e;
  const decision = decided(e, {
    kind: "hold",
    on: onChange(s),
    choice: "hold",
    permits: "nothing new until it is lifted",
    reason: request.reason,
  });
  const hold: Move = {
    move: "hold",
    kind: "person",
    batch: null,
    targetId: null,
    ownerId: e.actor,
    because: request.reason,
    decisionId: decision.id,
  };
  return done([decision, hold], request.reason);
};

export const resume: Effect<"resume"> = (e) => {
  const { s, request } = e;
  const holds = s.holds.filter((h) => HOLD_TRAITS[h.kind].liftedBy === "resume");
  const decision = decided(e, {
    kind: "hold_release",
    on: onChange(s),
    choice: "release",
    permits: "going on from where it stands",
    reason: request.reason,
    facts: { holds: holds.map((h) => h.id) },
  });
  const released = holds.map((h): Move => ({ move: "release_hold", holdId: h.id, byId: e.actor, reason: request.reason }));
  return done([decision, ...released], request.reason, { facts: { holds: holds.map((h) => h.because) } });
};

/** The check has no verdict until new evidence; nothing gathered before now counts for it. */
export const runCheck: Effect<"run-check"> = (e) => {
  const check = findCheck(e);
  if (check === undefined) return noCheck(e.request.on);
  const dueAt = new Date(e.now.getTime() + timeFor(check, e.policy));
  const because = e.request.reason ?? "read again";
  return done([{ move: "check_again", checkId: check.id, settlesAt: e.now, dueAt, because }], because, {
    targetId: check.targetId,
    facts: { check: check.name },
  });
};

/** How long the new evidence may take. */
function timeFor({ spec }: CheckView, policy: Policy): number {
  switch (spec.kind) {
    case "command":
      return spec.timeoutMs + 2 * policy.commandMs;
    case "telemetry":
      return spec.settleMs + spec.freshnessMs + policy.commandMs;
    case "configuration":
      return policy.observeForMs;
    case "acceptance":
      return 3 * 3600_000;
    case "preflight":
      return 10 * 60_000;
  }
}

/** Lets an unresolved check pass its gate until a moment; the check stays unresolved and is shown as waived for ever (R2.7). */
export const waive: Effect<"waive"> = (e) => {
  const { request } = e;
  const check = findCheck(e);
  if (check === undefined) return noCheck(request.on);
  const until = new Date(request.until);
  if (until <= e.now) return refuse("invalid", "the waiver would have ended already", "choose a later end");
  const name = e.s.targets.find((t) => t.id === check.targetId)?.name ?? "the change";
  const decision = decided(e, {
    kind: "waiver",
    on: { what: "check", id: check.id },
    checkId: check.id,
    choice: "waive",
    permits: `${name} is advanced without evidence for "${check.name}" until ${until.toISOString()}`,
    reason: request.reason,
    until,
    facts: { was: check.because },
  });
  return done([decision], request.reason, { targetId: check.targetId, facts: { check: check.name, until: until.toISOString() } });
};

/** Parsed and judged as a worker's would be; or the end of a command that a person performed by hand (R9.9). */
export const uploadEvidence: Effect<"upload-evidence"> = (e) => {
  const { s, request, outcome, judged } = e;
  const because = request.reason ?? `${request.files.length} files uploaded`;
  const command = s.commands.find((c) => c.key === request.on && c.finishedAt === null);
  if (command !== undefined) {
    if (outcome === undefined) return refuse("invalid", "how the command ended was not said", "upload its output and exit code");
    return done([{ move: "command_done", key: command.key, outcome, byId: e.actor }], because, {
      targetId: command.targetId,
      facts: { command: command.key, files: request.files },
    });
  }
  const check = findCheck(e);
  if (check === undefined) return noCheck(request.on);
  if (judged === undefined) return refuse("invalid", "the evidence could not be judged", "name its parser");
  if (judged.verdict === "pass" && judged.rests.evidence === undefined && judged.rests.runId === undefined)
    return refuse("invalid", "a pass has to rest on what was uploaded", "upload the output itself");
  return done([{ move: "judge", checkId: check.id, judged }], because, {
    targetId: check.targetId,
    facts: { check: check.name, verdict: judged.verdict, files: request.files },
  });
};

/** What a rebuilt node would get has to be shown again: by the worker where it can read it, else by uploaded evidence (R1.8, R1.10). */
export const confirmDefinition: Effect<"confirm-definition"> = (e) => {
  const { s } = e;
  const generation = 1 + Math.max(0, ...newestOf(s, "definition_agrees").map((c) => c.generation));
  const wanted = s.change.goal.text;
  const name = "definition names the goal";
  const check: Move = {
    move: "check",
    check: {
      id: checkId(s.change.id, "definition_agrees", "change", generation, name),
      gate: "definition_agrees",
      scope: "change",
      targetId: null,
      classId: null,
      batch: null,
      generation,
      name,
      spec: { kind: "configuration", field: "cluster_definition", component: s.change.goal.component, wanted },
      waivable: false,
      settlesAt: null,
      dueAt: null,
      notApplicableBecause: null,
      members: [],
    },
  };
  const set: readonly Move[] = s.places.length > 0 ? [{ move: "confirmed_definition", byId: e.actor }] : [];
  return done(s.places.length > 0 ? set : [check], e.request.reason ?? `a rebuilt node has to get ${wanted}`, { facts: { wanted } });
};

/** The plan's own commands on the nodes that R11.5 selects; a run without a result is asked for again as a whole. */
const runValidation = (e: EffectInput<"run-fabric-validation" | "run-spot-validation">, gate: "fabric_validation" | "spot_validation") => {
  const { s } = e;
  const generation = 1 + Math.max(0, ...newestOf(s, gate).map((c) => c.generation));
  const nodes = s.targets.filter((t) => t.step === "accepted");
  const checks = validationChecks({ changeId: s.change.id, gate, validate: s.plan.validate, nodes, total: s.targets.length, generation });
  if (checks.length === 0) return refuse("closed", `the plan names no check for ${gate.replace("_", " ")}`, "edit the plan under a hold");
  const names = [
    ...new Set(
      checks.flatMap((c) => c.members.map((m) => s.targets.find((t) => t.subjectId === m.subjectId)?.name ?? String(m.subjectId))),
    ),
  ];
  return done(
    checks.map((check): Move => ({ move: "check", check })),
    e.request.reason ?? `${checks.length} checks on ${names.length} nodes`,
    { facts: { nodes: names } },
  );
};
export const runFabricValidation: Effect<"run-fabric-validation"> = (e) => runValidation(e, "fabric_validation");
export const runSpotValidation: Effect<"run-spot-validation"> = (e) => runValidation(e, "spot_validation");

const findCheck = (e: EffectInput<"run-check" | "waive" | "upload-evidence">): CheckView | undefined =>
  e.s.checks.find((c) => c.id === e.request.on);
const noCheck = (id: string) => refuse("not_found", `no check is called ${id}`, "look at the checks again");
