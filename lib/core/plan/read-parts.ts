import {
  complain,
  isMissing,
  readDuration,
  readEntries,
  readItems,
  readMap,
  readOptionalText,
  readText,
  readWord,
} from "@/lib/core/kernel/document-form";
import type { Field } from "@/lib/core/kernel/document-form";
import type { MaintenanceTypeName, Plan } from "./plan";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SPAN = { minMs: 1_000, maxMs: DAY };

export function readTimeouts(field: Field, rebootMs: number): Plan["timeouts"] {
  const f = readMap(field, ["health", "update", "reboot", "validate"]);
  return {
    healthMs: readDuration(f.health, { ...SPAN, fallback: 5 * MINUTE }),
    updateMs: readDuration(f.update, { ...SPAN, fallback: 30 * MINUTE }),
    rebootMs: readDuration(f.reboot, { ...SPAN, fallback: rebootMs }),
    validateMs: readDuration(f.validate, { ...SPAN, fallback: 30 * MINUTE }),
  };
}

export function readDrain(field: Field): Plan["drain"] {
  const f = readMap(field, ["deadline", "gracePeriod", "onDeadline"]);
  return {
    deadlineMs: readDuration(f.deadline, { minMs: MINUTE, maxMs: 14 * DAY, fallback: 120 * MINUTE }),
    gracePeriodMs: readDuration(f.gracePeriod, { maxMs: DAY, fallback: 120_000 }),
    onDeadline: readWord(f.onDeadline, ["ask", "skip-node", "defer-node"], "ask"),
  };
}

/** Firmware stays in the device whatever is written; an image is its own place; otherwise nothing said means that a rebuilt node goes back (R1.6). */
export function readPersistence(field: Field, type: MaintenanceTypeName, inTheDevice: boolean): Plan["persistence"] {
  const f = readMap(field, ["kind", "observe"]);
  const kind = readWord(f.kind, ["image", "cloud-init", "config-management", "none"], type === "vmss_image" ? "image" : "none");
  const observe = readOptionalText(f.observe, { max: 4096 });
  return inTheDevice ? { kind: "in_the_device", observe: null } : { kind, observe: kind === "none" ? null : observe };
}

export function readOsDisk(field: Field, type: MaintenanceTypeName): Plan["osDisk"] {
  if (isMissing(field)) {
    if (type === "vmss_image") complain(field, "osDisk is missing: a reimage loses the disk. Name what is lost, or say {lost: []}.");
    return null;
  }
  const f = readMap(field, ["lost", "rebuiltBy"]);
  if (isMissing(f.lost)) complain(f.lost, "osDisk.lost is missing: a list of paths, which may be empty.");
  return { lost: readItems(f.lost, 100).map((item) => readText(item, { max: 4096 })), rebuiltBy: readOptionalText(f.rebuiltBy) };
}

/** One job per class, or a single one: `{job: nccl-h100@3, baseline: capture}`. */
export function readAcceptance(field: Field): Plan["acceptance"] {
  const list = readItems(field, 32, true).map((item) => {
    const f = readMap(item, ["job", "baseline"]);
    const text = readText(f.job);
    const match = /^([A-Za-z0-9][A-Za-z0-9._-]*)@([1-9]\d{0,5})$/.exec(text);
    if (text !== "" && !match) complain(f.job, `${f.job.path} must name a job and its version, such as nccl-h100@3.`);
    return { job: match?.[1] ?? "", version: Number(match?.[2] ?? 1), baseline: isMissing(f.baseline) ? "capture" : readText(f.baseline) };
  });
  const names = list.map((a) => a.job);
  if (new Set(names).size < names.length) complain(field, "acceptance names a job twice.");
  return list;
}

export function readPeople(field: Field): Plan["people"] {
  const f = readMap(field, ["operator", "workloadOwner", "approver", "secondEngineer", "decisionOwner"]);
  const several = (at: Field): string[] => readItems(at, 50, true).map((item) => readText(item));
  return {
    operator: several(f.operator),
    workloadOwner: several(f.workloadOwner),
    approver: several(f.approver),
    secondEngineer: several(f.secondEngineer),
    decisionOwner: readOptionalText(f.decisionOwner),
  };
}

/** Why an emergency is one (R11.4); judged when it is declared, only read here. */
export function readCriterion(criterion: Field, announced: Field, urgency: Plan["urgency"]): Pick<Plan, "criterion" | "announced"> {
  if (urgency === "planned") {
    for (const field of [criterion, announced]) if (field.node !== null) complain(field, `${field.path} belongs to urgency: emergency.`);
    return {};
  }
  if (isMissing(criterion))
    complain(criterion, "criterion is missing: an emergency says which of cvss, hardware or failure-rate makes it one.");
  if (!isMissing(criterion) && criterion.node?.is !== "map")
    complain(criterion, "criterion must be a map such as {kind: cvss, score: 9.8}.");
  const entries = readEntries(criterion, 16);
  const kind = entries.find((e) => e.key === "kind")?.field;
  if (criterion.node?.is === "map" && kind === undefined) complain(criterion, "criterion.kind is missing.");
  const facts = entries.filter((e) => e.key !== "kind").map((e) => [e.key.slice(0, 64), readText(e.field, { max: 1000 })] as const);
  const word = kind ? readWord(kind, ["cvss", "hardware", "failure-rate"]) : "cvss";
  return { criterion: { kind: word, facts: Object.fromEntries(facts) }, announced: readOptionalText(announced) };
}
