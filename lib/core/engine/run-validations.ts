import { commandKey, type CommandView, type NewCommand } from "@/lib/core/change/command";
import { batchesGate, newestOf } from "@/lib/core/change/gate-of-end";
import type { Move } from "@/lib/core/change/move";
import type { CheckView } from "@/lib/core/change/snapshot";
import { validationWanted } from "@/lib/core/change/validation-wanted";
import { validationChecks } from "@/lib/core/check/group";
import type { CommandRequest } from "@/lib/core/change/command-request";
import { closedByHold } from "./begin-update";
import { isOver } from "./acceptance-runs";
import { judgeOutput, parserOf, unresolvedJudgement } from "./judge-evidence";
import { plus, standing, type Look } from "./look";

type Gate = "fabric_validation" | "spot_validation";
type Found = { readonly moves: readonly Move[]; readonly commands: readonly NewCommand[] };

const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/**
 * Fabric and spot validation after the last batch (R11.5): the rows are written by the person who asks, or here with `advance: auto`; each runs as an
 * exclusive job inside one reservation of its nodes, which goes when all are judged.
 */
export function runValidations(look: Look): Found {
  if (look.s.change.state !== "IN_PROGRESS") return { moves: [], commands: [] };
  const found = validationWanted(look.s).map((gate) => runGate(look, gate));
  return { moves: found.flatMap((f) => f.moves), commands: found.flatMap((f) => f.commands) };
}

function runGate(look: Look, gate: Gate): Found {
  const { s } = look;
  const rows = newestOf(s, gate);
  if (rows.length === 0) return { moves: s.change.advance === "auto" ? writeRows(look, gate) : [], commands: [] };
  const judged = rows.flatMap((row) => judgeRow(look, gate, row, rows));
  if (judged.length > 0) return { moves: judged, commands: [] };
  if (rows.every((r) => r.verdict !== null)) return endGate(look, gate, rows);
  if (closedByHold(s).length > 0) return { moves: [], commands: [] };
  const reserve = standingReserve(look, gate, rows);
  if (reserve === null) return askReserve(look, gate, rows);
  if (standing(reserve, look) !== "done") return { moves: [], commands: [] };
  const told = all(look, gate, rows, "start_run").length;
  const due = rows.filter((row) => row.verdict === null && runOf(look, gate, row, rows) === null);
  return { moves: [], commands: due.map((row, i) => askRun(look, gate, row, rows, told + i + 1)) };
}

function writeRows(look: Look, gate: Gate): readonly Move[] {
  const { s } = look;
  if (Array.isArray(batchesGate(s)) || closedByHold(s).length > 0) return [];
  const nodes = s.targets.filter((t) => t.step === "accepted");
  const input = { changeId: s.change.id, gate, validate: s.plan.validate, nodes, total: s.targets.length, generation: 1 };
  return validationChecks(input).map((check) => ({ move: "check", check }));
}

function judgeRow(look: Look, gate: Gate, row: CheckView, rows: readonly CheckView[]): readonly Move[] {
  if (row.verdict !== null) return [];
  const reserve = standingReserve(look, gate, rows);
  if (reserve !== null && standing(reserve, look) !== "done" && isOver(reserve, look)) {
    const because = `its nodes could not be reserved: ${reserve.outcome?.because ?? "no answer"}`;
    return [{ move: "judge", checkId: row.id, judged: unresolvedJudgement("tool_error", because) }];
  }
  const run = runOf(look, gate, row, rows);
  if (run === null || !isOver(run, look)) return [];
  const t = look.s.targets.find((one) => one.id === row.targetId) ?? null;
  return [{ move: "judge", checkId: row.id, judged: judgeOutput(look, row, run, t) }];
}

/** None from before the check was asked for again. */
const isSince = (c: CommandView, row: CheckView): boolean => row.settlesAt === null || c.startedAt === null || c.startedAt >= row.settlesAt;

const runOf = (look: Look, gate: Gate, row: CheckView, rows: readonly CheckView[]): CommandView | null =>
  all(look, gate, rows, "start_run")
    .filter((c) => c.request.kind === "start_run" && c.request.checkId === row.id && isSince(c, row))
    .at(-1) ?? null;

/** The reservation that stands: asked for, not ended since, and not a failed one from before somebody asked again. */
function standingReserve(look: Look, gate: Gate, rows: readonly CheckView[]): CommandView | null {
  const reserves = all(look, gate, rows, "reserve");
  const last = reserves.at(-1);
  if (last === undefined || all(look, gate, rows, "unreserve").length >= reserves.length) return null;
  const failed = isOver(last, look) && standing(last, look) !== "done";
  return failed && rows.some((row) => row.verdict === null && !isSince(last, row)) ? null : last;
}

function askReserve(look: Look, gate: Gate, rows: readonly CheckView[]): Found {
  const name = reservationOf(look, gate, rows);
  const nth = all(look, gate, rows, "reserve").length + 1;
  const request = {
    kind: "reserve" as const,
    name,
    nodes: [...new Set(rows.flatMap((r) => nodesOf(look, r)))],
    durationMs: look.policy.reservationMs,
    resume: false,
    reason: name,
  };
  const asked = newCommand(look, gate, rows, request, nth, look.policy.commandMs, `${gate.replace("_", " ")}: exclusive nodes`);
  const owed: Move = {
    move: "obligation",
    id: `${look.s.change.id}/${gate}/reservation/${generationOf(rows)}.${nth}`,
    kind: "reservation",
    targetId: null,
    subjectId: null,
    name,
    prior: null,
    madeBy: asked.key,
    endsAt: plus(look.now, look.policy.reservationMs),
  };
  const known = look.s.obligations.some((o) => o.kind === "reservation" && o.name === name);
  return { moves: known ? [] : [owed], commands: [asked] };
}

function askRun(look: Look, gate: Gate, row: CheckView, rows: readonly CheckView[], nth: number): NewCommand {
  const spec = row.spec.kind === "command" ? row.spec : null;
  const nodes = nodesOf(look, row);
  const parser = spec === null ? null : parserOf(spec);
  const node = nodes[0] ?? "";
  const run = (spec?.run ?? "").replaceAll("{gpus}", String(gpusOf(look, row)));
  const safe = nodes.every((n) => NODE_NAME.test(n));
  const script = safe ? run.replaceAll("{node}", node).replaceAll("{group}", nodes.join(",")) : "exit 125";
  const reservation = reservationOf(look, gate, rows);
  const job = { id: row.name, purpose: gate, script, name: `${reservation}-${nth}`, reservation, repeat: 1, parser };
  const onHead = spec?.on === "head";
  const request = {
    kind: "start_run" as const,
    node,
    nodes: [...nodes],
    checkId: row.id,
    job: onHead ? null : job,
    run: onHead && spec !== null ? run : null,
    on: spec?.on ?? ("node" as const),
    parser,
    timeoutMs: spec?.timeoutMs ?? look.policy.commandMs,
  };
  // Exclusive: it waits until the jobs that run there have ended, which may take as long as a drain.
  const deadlineMs = request.timeoutMs + look.s.plan.drain.deadlineMs;
  return newCommand(look, gate, rows, request, nth, deadlineMs, `${row.name} on ${nodes.join(", ")}`);
}

function endGate(look: Look, gate: Gate, rows: readonly CheckView[]): Found {
  const name = reservationOf(look, gate, rows);
  const owed = look.s.obligations.find((o) => o.kind === "reservation" && o.name === name);
  if (owed === undefined) return { moves: [], commands: [] };
  const ended = all(look, gate, rows, "unreserve");
  if (ended.length < all(look, gate, rows, "reserve").length) {
    const request = { kind: "unreserve" as const, name, nodes: [], drainFirst: false, reason: name };
    const because = "validation is judged: its reservation goes";
    return { moves: [], commands: [newCommand(look, gate, rows, request, ended.length + 1, look.policy.commandMs, because)] };
  }
  const last = ended.at(-1);
  return last !== undefined && standing(last, look) === "done"
    ? { moves: [{ move: "settle", obligationId: owed.id, because: "the reservation is gone, read back" }], commands: [] }
    : { moves: [], commands: [] };
}

const nodesOf = (look: Look, row: CheckView): readonly string[] =>
  row.members.map((m) => look.s.targets.find((t) => t.subjectId === m.subjectId)?.name ?? `subject ${m.subjectId}`);
/** GPUs of the nodes it runs on: `{gpus}` of the plan's command. */
const gpusOf = (look: Look, row: CheckView): number =>
  row.members.reduce((sum, m) => sum + (look.s.targets.find((t) => t.subjectId === m.subjectId)?.gpus ?? 0), 0);
const generationOf = (rows: readonly CheckView[]): number => rows[0]?.generation ?? 1;
const reservationOf = (look: Look, gate: Gate, rows: readonly CheckView[]): string =>
  `clearance-${look.s.change.id}-${gate.replace("_", "-")}-${generationOf(rows)}`;
function all(look: Look, gate: Gate, rows: readonly CheckView[], kind: "reserve" | "start_run" | "unreserve"): readonly CommandView[] {
  const found: CommandView[] = [];
  const at = (nth: number) => look.byKey.get(commandKey(look.s.change.id, gate, kind, generationOf(rows), nth));
  for (let c = at(1); c !== undefined; c = at(found.length + 1)) found.push(c);
  return found;
}

const newCommand = (
  look: Look,
  gate: Gate,
  rows: readonly CheckView[],
  request: CommandRequest,
  nth: number,
  deadlineMs: number,
  because: string,
): NewCommand => ({
  key: commandKey(look.s.change.id, gate, request.kind, generationOf(rows), nth),
  kind: request.kind,
  targetId: null,
  generation: generationOf(rows),
  deadlineAt: plus(look.now, deadlineMs),
  because,
  request,
});
