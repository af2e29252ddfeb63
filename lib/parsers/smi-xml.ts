import { XMLParser, XMLValidator } from "fast-xml-parser";
import { z } from "zod";
import type { Reading } from "@/lib/core/check/reading";
import { addNoise, addNumber, addProblem, addText, cut, newDraft, notThisFormat, type Draft } from "./reading-draft";
import { addSmiValue, judgeLinkWidths } from "./smi-value";

const MAX_DEPTH = 32;
/** The one document type the tool writes; it is dropped unread, and any other declaration refuses the file. */
const DOCTYPE = /<!DOCTYPE\s+nvidia_smi_log\s+SYSTEM\s+"nvsmi_device_v\d{1,3}\.dtd"\s*>/g;
const Log = z.looseObject({
  timestamp: z.string().optional(),
  driver_version: z.string().optional(),
  cuda_version: z.string().optional(),
  attached_gpus: z.string().optional(),
  gpu: z.array(z.unknown()).optional(),
});
/** Where each value stands, newest name first. */
const VALUES: readonly (readonly [name: string, ...paths: string[]])[] = [
  ["name", "product_name"],
  ["uuid", "uuid"],
  ["pci.bus_id", "@id"],
  ["temperature.gpu", "temperature/gpu_temp"],
  ["utilization.gpu", "utilization/gpu_util"],
  ["memory.used", "fb_memory_usage/used"],
  ["power.draw", "gpu_power_readings/instant_power_draw", "gpu_power_readings/power_draw", "power_readings/power_draw"],
  ["pcie.link.width.current", "pci/pci_gpu_link_info/link_widths/current_link_width"],
  ["pcie.link.width.max", "pci/pci_gpu_link_info/link_widths/max_link_width"],
  ["remapped_row_pending", "remapped_rows/remapped_row_pending"],
  ["remapped_row_failure", "remapped_rows/remapped_row_failure"],
  ["gpu_recovery_action", "gpu_recovery_action"],
];

/** `nvidia-smi -q -x`. No document type is loaded and no entity is expanded. */
export function readSmiXml(text: string): Reading {
  const draft = newDraft("nvidia-smi");
  const start = text.search(/<\?xml|<!DOCTYPE|<nvidia_smi_log/);
  for (const line of text.slice(0, start).split("\n")) {
    if (line.trim() === "") continue;
    addNoise(draft, line);
    if (line.startsWith("WARNING:")) addProblem(draft, "warned", line.trim());
  }
  const body = text.slice(start).replace(DOCTYPE, "");
  if (/<!DOCTYPE|<!ENTITY/i.test(body))
    return notThisFormat("nvidia-smi", "the XML declares a document type or entities of its own: refused");
  const depth = depthOf(body);
  if (depth > MAX_DEPTH) return notThisFormat("nvidia-smi", `the XML is nested deeper than ${MAX_DEPTH}`);
  if ((body.match(/<nvidia_smi_log[\s>]/g) ?? []).length > 1) {
    addProblem(draft, "sources_disagree", "the output holds more than one document (loop mode)");
    return draft;
  }
  const valid = XMLValidator.validate(body);
  if (valid !== true || !/<\/nvidia_smi_log>\s*$/.test(body)) {
    cut(draft, `the XML is not whole${valid === true ? "" : ` (line ${valid.err.line})`}`);
    return draft;
  }
  const parsed: unknown = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    parseAttributeValue: false,
    processEntities: false,
    isArray: (name) => name === "gpu",
  }).parse(body);
  const log = z.looseObject({ nvidia_smi_log: Log }).safeParse(parsed);
  if (!log.success) return notThisFormat("nvidia-smi", "the XML is not a report of nvidia-smi -q -x");
  readLog(draft, log.data.nvidia_smi_log);
  return draft;
}

function readLog(draft: Draft, log: z.infer<typeof Log>): void {
  const gpus = log.gpu ?? [];
  if (log.driver_version) draft.versions["driver"] = log.driver_version.slice(0, 60);
  if (log.cuda_version) draft.versions["cuda"] = log.cuda_version.slice(0, 60);
  if (log.timestamp) addText(draft, "timestamp", "run", log.timestamp, "local time");
  const attached = Number(log.attached_gpus ?? NaN);
  if (!Number.isInteger(attached)) addProblem(draft, "no_data", "attached_gpus is missing");
  else if (attached !== gpus.length)
    addProblem(draft, "sources_disagree", `attached_gpus says ${attached}, the report lists ${gpus.length}`);
  if (gpus.length === 0) addProblem(draft, "no_data", "no GPU in the report");
  for (const [index, gpu] of gpus.entries()) readGpu(draft, gpu, `gpu ${index}`, log.driver_version);
  addNumber(draft, "gpus", "run", gpus.length, { text: gpus.map((_, index) => index).join(","), unit: "" });
  judgeLinkWidths(draft);
}

function readGpu(draft: Draft, gpu: unknown, entity: string, driver: string | undefined): void {
  addSmiValue(draft, "driver_version", entity, { text: driver ?? "", unit: null, asked: true });
  for (const [name, ...paths] of VALUES) {
    const text = paths.map((path) => at(gpu, path)).find((found) => found !== null);
    if (text !== null && text !== undefined) addSmiValue(draft, name, entity, { text, unit: null, asked: false });
  }
  const textOf = (name: string) => draft.values.find((value) => value.name === name && value.entity === entity)?.text ?? "";
  if (/^yes$/i.test(textOf("remapped_row_pending")))
    draft.statements.push({
      test: "remapped_row_pending",
      entity,
      says: "fail",
      because: `${entity}: a row remap is pending, the GPU needs a reset`,
    });
  if (/^yes$/i.test(textOf("remapped_row_failure")))
    draft.statements.push({ test: "remapped_row_failure", entity, says: "fail", because: `${entity}: remapping of rows has failed` });
  const action = textOf("gpu_recovery_action");
  if (action !== "" && !/^(none|n\/a)$/i.test(action))
    draft.statements.push({ test: "gpu_recovery_action", entity, says: "fail", because: `${entity}: recovery action ${action}` });
}

function at(value: unknown, path: string): string | null {
  let here: unknown = value;
  for (const key of path.split("/")) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return null;
    here = (here as Record<string, unknown>)[key];
  }
  return typeof here === "string" ? here : null;
}

/** Deepest nesting of tags, counted without recursion. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const tag of text.matchAll(/<(\/?)[A-Za-z_][^<>]*?(\/?)>/g)) {
    if (tag[1] === "/") depth--;
    else if (tag[2] !== "/") deepest = Math.max(deepest, ++depth);
  }
  return deepest;
}
