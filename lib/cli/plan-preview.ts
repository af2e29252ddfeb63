import { parseArgs } from "node:util";
import { readPlan } from "@/lib/core/plan/read-plan";
import type { PlanProblem } from "@/lib/core/plan/read-plan";
import { err, ok } from "@/lib/core/kernel/result";
import type { Result } from "@/lib/core/kernel/result";
import { Inventory } from "@/lib/core/node/inventory-node";
import type { InventoryNode } from "@/lib/core/node/inventory-node";
import { previewPlan } from "@/lib/core/planner/preview";
import type { PlanPreview } from "@/lib/core/planner/preview";
import { previewText } from "./preview-text";
import { printableLines } from "./printable";

/** What the command touches of the world. */
type PreviewIo = {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

const USAGE = "usage: clearance plan preview FILE --inventory FILE [--json]";
const MAX_INVENTORY_BYTES = 64 * 1024 * 1024;
const MAX_SHOWN = 20;
const AS_ASKED = 0;
const WITH_REMARKS = 1;
const REFUSED = 2;

/**
 * `plan preview FILE --inventory FILE [--json]`: pure, touches nothing but the two files.
 * Exit 0 as asked, 1 with reductions, findings or nodes left out, 2 refused, conflicts or unusable input.
 */
export async function runPlanPreview(argv: readonly string[], io: PreviewIo): Promise<number> {
  const options = readOptions(argv);
  if (!options.ok) return refuse(io, argv.includes("--json"), "usage", [at(`${options.error}\n${USAGE}`)], "");
  const { file, inventory, json } = options.value;
  const planText = await readText(io, file);
  if (!planText.ok) return refuse(io, json, "plan_unreadable", [at(planText.error)], file);
  const plan = readPlan(planText.value);
  if (!plan.ok) return refuse(io, json, "plan_refused", plan.error, file);
  const inventoryText = await readText(io, inventory);
  if (!inventoryText.ok) return refuse(io, json, "inventory_unreadable", [at(inventoryText.error)], inventory);
  const nodes = readInventory(inventoryText.value);
  if (!nodes.ok) return refuse(io, json, "inventory_refused", nodes.error, inventory);
  const preview = previewPlan({ plan: plan.value, inventory: nodes.value });
  io.out(json ? `${JSON.stringify(jsonOf(preview), null, 2)}\n` : previewText(plan.value, preview));
  return exitOf(preview);
}

/** The documented form; `because` is left out where there is none. */
function jsonOf({ layout, ...preview }: PlanPreview): object {
  const { asked, used, because } = layout.batchSize;
  return {
    batches: preview.batches,
    canaries: preview.canaries,
    notPlanned: layout.notPlanned,
    batchSize: because === null ? { asked, used } : { asked, used, because },
    lowerBound: layout.lowerBound,
    durations: preview.durations,
    windows: preview.windows,
    findings: layout.findings,
    conflicts: layout.conflicts,
    procedure: preview.procedure,
    outOfService: preview.outOfService.map(({ name, state, reason }) => (reason === null ? { name, state } : { name, state, reason })),
  };
}

function exitOf({ layout }: PlanPreview): number {
  if (layout.conflicts.length > 0) return REFUSED;
  const asAsked = layout.findings.length === 0 && layout.notPlanned.length === 0 && layout.batchSize.because === null;
  return asAsked ? AS_ASKED : WITH_REMARKS;
}

type Options = { readonly file: string; readonly inventory: string; readonly json: boolean };

function readOptions(argv: readonly string[]): Result<Options, string> {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: { inventory: { type: "string" }, json: { type: "boolean", default: false } },
    });
    const file = positionals[0];
    if (file === undefined || positionals.length > 1) return err("One plan file is needed.");
    if (values.inventory === undefined) return err("--inventory FILE is needed.");
    return ok({ file, inventory: values.inventory, json: values.json });
  } catch (thrown) {
    return err(thrown instanceof Error ? thrown.message : "The options cannot be read.");
  }
}

async function readText(io: PreviewIo, path: string): Promise<Result<string, string>> {
  let bytes: Uint8Array;
  try {
    bytes = await io.readFile(path);
  } catch (thrown) {
    return err(`The file cannot be read: ${thrown instanceof Error ? thrown.message : "unknown fault"}.`);
  }
  if (bytes.length > MAX_INVENTORY_BYTES) return err(`The file is longer than ${MAX_INVENTORY_BYTES / 1024 / 1024} MiB.`);
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return err("The file is not UTF-8 text."); // the decoder says no more than that
  }
}

function readInventory(text: string): Result<readonly InventoryNode[], PlanProblem[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (thrown) {
    return err([at(`Not valid JSON: ${thrown instanceof Error ? thrown.message : "unknown fault"}.`)]);
  }
  const read = Inventory.safeParse(json);
  if (!read.success) {
    return err(read.error.issues.slice(0, MAX_SHOWN).map((issue) => ({ ...at(issue.message), path: pathText(issue.path) })));
  }
  const seen = new Set<string>();
  const twice = read.data.flatMap((node, i) => {
    if (!seen.has(node.name)) return seen.add(node.name) && [];
    return [{ ...at(`${node.name} stands in the inventory twice.`), path: `[${i}].name` }];
  });
  return twice.length > 0 ? err(twice.slice(0, MAX_SHOWN)) : ok(read.data);
}

const pathText = (path: readonly PropertyKey[]): string =>
  path.map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`)).join("");

const at = (text: string): PlanProblem => ({ line: 0, column: 0, path: "", text });

/** Problems without a line concern the file as a whole, or name their place by path. */
function refuse(io: PreviewIo, json: boolean, code: string, problems: readonly PlanProblem[], file: string): number {
  if (json) io.out(`${JSON.stringify({ error: { code, file }, problems }, null, 2)}\n`);
  for (const { line, column, path, text } of problems) {
    const place = [file, ...(line > 0 ? [line, column] : [])].filter((part) => part !== "").join(":");
    const said = `${place === "" ? "" : `${place}: `}${path === "" || text.startsWith(path) ? "" : `${path}: `}${text}`;
    io.err(`${printableLines(said)}\n`);
  }
  return REFUSED;
}
