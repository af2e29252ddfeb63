import * as yaml from "yaml";
import { complain, fieldOf, readMap, readOptionalText, readText, readWhole, readWord, readDuration } from "@/lib/core/kernel/document-form";
import { readDocumentTree } from "@/lib/core/kernel/document-tree";
import type { DocumentProblem } from "@/lib/core/kernel/document-tree";
import { err, ok } from "@/lib/core/kernel/result";
import type { Result } from "@/lib/core/kernel/result";
import { builtInUpdate } from "./built-in-update";
import { maintenanceType } from "./maintenance-types";
import { MAINTENANCE_TYPE_NAMES, Plan } from "./plan";
import { readRollback, readTelemetry, readUpdate, readValidation } from "./read-commands";
import { readAcceptance, readCriterion, readDrain, readOsDisk, readPeople, readPersistence, readTimeouts } from "./read-parts";
import { readCanaries, readLeafRule, readMaxUnavailable } from "./read-sizes";
import { readTarget } from "./read-target";
import { readMixedUntil, readWindows } from "./read-windows";

export type PlanProblem = DocumentProblem;

const KEYS = [
  ...["apiVersion", "title", "ticket", "urgency", "criterion", "announced", "execution", "cluster", "type", "target"],
  ...["batchSize", "maxNodesPerLeaf", "leafRule", "interBatchDelay", "canaries", "advance", "maxUnavailable", "windows", "mixedUntil"],
  ...["drain", "arrivals", "poweredDown", "persistence", "osDisk", "update", "acceptance", "validate", "telemetry", "rollback"],
  ...["timeouts", "people"],
] as const;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const HOUR = 3_600_000;

/**
 * A plan as understood: defaults filled in, durations in milliseconds, instants in UTC, versions as the text a person wrote (R1.4).
 * At most 256 KiB of YAML. Every fault is named with line, column and path, all at once; unknown names are faults.
 */
export function readPlan(text: string): Result<Plan, PlanProblem[]> {
  const tree = readDocumentTree(text, yaml);
  if (!tree.ok) return tree;
  const problems: PlanProblem[] = [];
  const document = fieldOf(tree.value, problems);
  if (tree.value.is !== "map") {
    complain(document, "A plan is a map that begins with apiVersion: clearance/v1.");
    return err(problems);
  }
  const f = readMap(document, KEYS);
  if (readText(f.apiVersion) !== "clearance/v1" && f.apiVersion.node !== null) complain(f.apiVersion, "apiVersion must be clearance/v1.");
  const type = readWord(f.type, MAINTENANCE_TYPE_NAMES);
  const facts = maintenanceType(type);
  const urgency = readWord(f.urgency, ["planned", "emergency"], "planned");
  const target = readTarget(f.target, type, facts.versionKey);
  const windows = readWindows(f.windows);
  const timeouts = readTimeouts(f.timeouts, facts.rebootTimeoutMs);
  const plan: Plan = {
    title: readText(f.title, { max: 200 }),
    ticket: readOptionalText(f.ticket),
    urgency,
    ...readCriterion(f.criterion, f.announced, urgency),
    execution: readWord(f.execution, ["automatic", "manual"], "automatic"),
    cluster: readText(f.cluster, { pattern: NAME, what: "the name of a cluster" }),
    type,
    target,
    batchSize: readWhole(f.batchSize, { min: 1, max: 10_000, fallback: 4 }),
    maxNodesPerLeaf: readWhole(f.maxNodesPerLeaf, { min: 1, max: 10_000, fallback: 1 }),
    leafRule: readLeafRule(f.leafRule, facts.needsGroupCheck),
    interBatchDelayMs: readDuration(f.interBatchDelay, { maxMs: 7 * 24 * HOUR, fallback: 5 * 60_000 }),
    canaries: readCanaries(f.canaries),
    advance: readWord(f.advance, ["manual", "auto"], "manual"),
    maxUnavailable: readMaxUnavailable(f.maxUnavailable),
    windows,
    mixedUntil: readMixedUntil(f.mixedUntil, windows),
    drain: readDrain(f.drain),
    arrivals: readWord(f.arrivals, ["hold"], "hold"),
    poweredDown: readWord(f.poweredDown, ["skip", "boot"], "skip"),
    persistence: readPersistence(f.persistence, type, facts.inTheDevice),
    osDisk: readOsDisk(f.osDisk, type),
    update: readUpdate(f.update, builtInUpdate(type, target.version, timeouts.updateMs), facts.on, timeouts.updateMs),
    acceptance: readAcceptance(f.acceptance),
    validate: readValidation(f.validate, timeouts.validateMs),
    telemetry: readTelemetry(f.telemetry),
    rollback: readRollback(f.rollback, facts.on, timeouts.updateMs),
    timeouts,
    people: readPeople(f.people),
  };
  if (problems.length > 0) return err([...problems].sort((a, b) => a.line - b.line || a.column - b.column));
  return ok(Plan.parse(plan));
}
