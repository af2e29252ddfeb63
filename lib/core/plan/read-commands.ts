import { readExpectation, readLimits } from "@/lib/core/check/read-expectation";
import {
  complain,
  isMissing,
  readDuration,
  readItems,
  readMap,
  readOptionalText,
  readText,
  readWhole,
  readWord,
} from "@/lib/core/kernel/document-form";
import type { Field, TextRule } from "@/lib/core/kernel/document-form";
import type { Plan, PlanCommand, PlanValidation } from "./plan";

const PLACES = ["node", "head", "switch", "bmc"] as const;
/** Outputs this version can read; a plan that names another would only ever be unresolved. */
const PARSER_NAMES = ["nccl-tests", "dcgm-diag", "nvidia-smi", "text"] as const;
const RUN: TextRule = { max: 16_384, lines: true };
const DAY = 24 * 3_600_000;
const TIMEOUT = { minMs: 1_000, maxMs: DAY };

/** The commands that change one target, in order; left out: the type's built-in action. */
export function readUpdate(field: Field, builtIn: PlanCommand | null, on: PlanCommand["on"], timeoutMs: number): PlanCommand[] {
  const commands = readItems(field, 20).map((item) => {
    const f = readMap(item, ["name", "on", "run", "timeout"]);
    return {
      name: readText(f.name),
      on: readWord(f.on, PLACES, on),
      run: readText(f.run, RUN),
      timeoutMs: readDuration(f.timeout, { ...TIMEOUT, fallback: timeoutMs }),
    };
  });
  return commands.length === 0 && builtIn !== null ? [builtIn] : named(field, commands);
}

export function readValidation(field: Field, timeoutMs: number): PlanValidation[] {
  return named(
    field,
    readItems(field, 100).map((item) => readOneValidation(item, timeoutMs)),
  );
}

function readOneValidation(item: Field, timeoutMs: number): PlanValidation {
  const f = readMap(item, ["name", "scope", "groupSize", "gate", "on", "run", "parser", "expect", "baseline", "timeout"]);
  const scope = readWord(f.scope, ["node", "group", "change"], "node");
  if (scope !== "group" && f.groupSize.node !== null) complain(f.groupSize, `${f.groupSize.path} belongs to scope: group.`);
  if (scope !== "change" && f.gate.node !== null) complain(f.gate, `${f.gate.path} belongs to scope: change.`);
  const gate = scope === "change" ? readWord(f.gate, ["fabric_validation", "spot_validation"]) : "batches";
  return {
    name: readText(f.name),
    scope,
    groupSize: scope === "group" ? readWhole(f.groupSize, { min: 2, max: 64 }) : null,
    gate,
    run: readText(f.run, RUN),
    on: readWord(f.on, ["node", "head"], "node"),
    parser: isMissing(f.parser) ? null : readWord(f.parser, PARSER_NAMES),
    expect: readExpectation(f.expect),
    baseline: readLimits(f.baseline),
    timeoutMs: readDuration(f.timeout, { ...TIMEOUT, fallback: timeoutMs }),
  };
}

export function readTelemetry(field: Field): Plan["telemetry"] {
  const checks = readItems(field, 100).map((item) => {
    const f = readMap(item, ["name", "query", "expect", "seriesPerNode", "freshness", "settle"]);
    const query = readText(f.query, { max: 4096, lines: true });
    if (query !== "" && !query.includes("{node}")) complain(f.query, `${f.query.path} must contain {node}, where the node's name goes.`);
    const expect = readExpectation(f.expect);
    if (expect === null) complain(f.expect, `${f.expect.path} is missing: what the value must be.`);
    return {
      name: readText(f.name),
      query,
      expect: expect ?? { absent: true as const },
      seriesPerNode: readWhole(f.seriesPerNode, { min: 1, max: 10_000, fallback: 1 }),
      freshnessMs: readDuration(f.freshness, { minMs: 1_000, maxMs: DAY, fallback: 60_000 }),
      settleMs: readDuration(f.settle, { maxMs: DAY, fallback: 5 * 60_000 }),
    };
  });
  return named(field, checks);
}

/** Component by component: whether going back was tested, and how (R8.3). */
export function readRollback(field: Field, on: PlanCommand["on"], timeoutMs: number): Plan["rollback"] {
  const { components } = readMap(field, ["components"]);
  const list = readItems(components, 20).map((item) => {
    const f = readMap(item, ["name", "capability", "run", "on", "timeout"]);
    const capability = readWord(f.capability, ["tested", "untested", "impossible"]);
    const run = readOptionalText(f.run, RUN);
    if (capability === "impossible" && run !== null)
      complain(f.run, "To a component that cannot go back nothing is ever sent: leave run out.");
    if (capability !== "impossible" && run === null)
      complain(f.capability, `A ${capability} way back needs its command: ${item.path}.run is missing.`);
    return {
      name: readText(f.name),
      capability,
      run,
      on: readWord(f.on, PLACES, on),
      timeoutMs: readDuration(f.timeout, { ...TIMEOUT, fallback: timeoutMs }),
    };
  });
  return named(components, list);
}

/** Names are how people and records speak of these, so each stands once. */
function named<T extends { readonly name: string }>(field: Field, list: T[]): T[] {
  const seen = new Set<string>();
  for (const { name } of list) {
    if (name !== "" && seen.has(name)) complain(field, `${field.path} has two entries named ${JSON.stringify(name.slice(0, 60))}.`);
    seen.add(name);
  }
  return list;
}
