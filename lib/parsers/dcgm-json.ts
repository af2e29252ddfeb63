import { z } from "zod";
import type { Reading } from "@/lib/core/check/reading";
import { finishResults, testName, type DcgmResult, type DcgmWarning } from "./dcgm-results";
import { parseJson } from "./json-text";
import { addProblem, cut, newDraft, notThisFormat, type Draft } from "./reading-draft";

const Warning = z.union([
  z.string(),
  z.looseObject({ warning: z.string().nullish(), warnings: z.string().nullish(), error_id: z.number().nullish() }),
]);
const Result = z.looseObject({
  status: z.string().nullish(),
  gpu_ids: z.string().nullish(),
  gpu_id: z.union([z.string(), z.number()]).nullish(),
  entity_group: z.string().nullish(),
  entity_id: z.number().nullish(),
  warnings: z.union([Warning, z.array(Warning)]).nullish(),
});
const Test = z.looseObject({
  name: z.string(),
  results: z.array(Result.nullable()),
  test_summary: z.looseObject({ status: z.string().nullish() }).nullish(),
});
const Body = z.looseObject({
  test_categories: z.array(z.looseObject({ category: z.string(), tests: z.array(Test) })).nullish(),
  runtime_error: z.string().nullish(),
  version: z.string().nullish(),
});
const EntityGroup = z.looseObject({ entity_group: z.string(), entities: z.array(z.looseObject({ entity_id: z.number() })).nullish() });
const Root = z.looseObject({
  "DCGM Diagnostic": Body.nullish(),
  "DCGM GPU Diagnostic": Body.nullish(),
  version: z.string().nullish(),
  "Driver Version Detected": z.string().nullish(),
  "GPU Device IDs": z.array(z.string()).nullish(),
  metadata: z.looseObject({ version: z.string().nullish(), "Driver Version Detected": z.string().nullish() }).nullish(),
  entity_groups: z.array(EntityGroup).nullish(),
});
type Root = z.infer<typeof Root>;
/** `--iterations N`: stops after the first that fails. */
const Iterations = z.looseObject({ iterations: z.array(Root).min(1), warning: z.string().nullish() });

/** `dcgmi diag -j`, 2.x to 4.x. */
export function readDcgmJson(text: string): Reading {
  const json = parseJson(text);
  const draft = newDraft("dcgm-diag");
  if (!json.ok) {
    if (!json.error.ended) return notThisFormat("dcgm-diag", json.error.because);
    cut(draft, json.error.because);
    return draft;
  }
  const several = Iterations.safeParse(json.value);
  const roots = several.success
    ? several.data.iterations
    : [Root.safeParse(json.value)].flatMap((root) => (root.success ? [root.data] : []));
  if (several.success && several.data.warning) addProblem(draft, "warned", several.data.warning);
  if (roots.length === 0) {
    const issue = Root.safeParse(json.value).error?.issues[0];
    return notThisFormat("dcgm-diag", `not a report of dcgmi diag: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? "wrong shape"}`);
  }
  for (const root of roots) {
    const foreign = readRoot(draft, root);
    if (foreign !== null) return notThisFormat("dcgm-diag", foreign);
  }
  return draft;
}

/** null: read. A text: this is no report. */
function readRoot(draft: Draft, root: Root): string | null {
  const body = root["DCGM Diagnostic"] ?? root["DCGM GPU Diagnostic"] ?? Body.safeParse(root).data;
  if (!body || (!body.test_categories && !body.runtime_error))
    return "not a report of dcgmi diag: it holds neither test_categories nor runtime_error";
  const version = root.metadata?.version ?? root.version ?? body.version;
  if (version) draft.versions["dcgm"] = version.slice(0, 60);
  const driver = root.metadata?.["Driver Version Detected"] ?? root["Driver Version Detected"];
  if (driver) draft.versions["driver"] = driver.slice(0, 60);
  if (body.runtime_error || !body.test_categories) {
    draft.understood = "did_not_run";
    const code = /\((-?\d+)\)/.exec(body.runtime_error ?? "")?.[1];
    addProblem(
      draft,
      "tool_error",
      `diagnostic did not run${code ? ` (DCGM code ${code})` : ""}: ${(body.runtime_error ?? "").slice(0, 300)}`,
    );
    return null;
  }
  const results: DcgmResult[] = [];
  for (const { category, tests } of body.test_categories)
    for (const test of tests) {
      const deployment = /deployment/i.test(category);
      const name = testName(test.name);
      const own = test.results.flatMap((result) => (result === null ? [] : resultsOf(name, deployment, result)));
      results.push(...own);
      const summary = test.test_summary?.status ?? "";
      if (/^fail$/i.test(summary) && !own.some((result) => /^fail$/i.test(result.status)))
        results.push({
          test: name,
          deployment,
          entity: "node",
          status: "Fail",
          warnings: [{ text: "the test's summary says Fail", errorId: null }],
        });
      if (own.length === 0 && summary !== "") results.push({ test: name, deployment, entity: "node", status: summary, warnings: [] });
    }
  finishResults(draft, results, knownGpus(root));
  return null;
}

function knownGpus(root: Root): Set<string> {
  const listed = (root.entity_groups ?? []).filter((group) => group.entity_group === "GPU").flatMap((group) => group.entities ?? []);
  if (listed.length > 0) return new Set(listed.map((entity) => `gpu ${entity.entity_id}`));
  return new Set((root["GPU Device IDs"] ?? []).slice(0, 1024).map((_, index) => `gpu ${index}`));
}

function resultsOf(test: string, deployment: boolean, result: z.infer<typeof Result>): DcgmResult[] {
  const ids = result.gpu_ids ?? result.gpu_id;
  const entities =
    result.entity_id !== null && result.entity_id !== undefined
      ? [`${(result.entity_group ?? "entity").toLowerCase()} ${result.entity_id}`]
      : ids === null || ids === undefined || ids === ""
        ? ["node"]
        : String(ids)
            .split(",")
            .map((id) => `gpu ${id.trim()}`);
  const warnings = warningsOf(result.warnings);
  return entities.map((entity) => ({ test, deployment, entity, status: result.status ?? "", warnings }));
}

function warningsOf(written: z.infer<typeof Result>["warnings"]): DcgmWarning[] {
  const list = written === null || written === undefined ? [] : Array.isArray(written) ? written : [written];
  return list
    .map((entry) =>
      typeof entry === "string"
        ? { text: entry, errorId: null }
        : { text: entry.warning ?? entry.warnings ?? "", errorId: entry.error_id ?? null },
    )
    .filter(({ text, errorId }) => text.trim() !== "" || (errorId !== null && errorId !== 0));
}
