import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readJob } from "@/lib/core/acceptance/read-job";
import { readPlan } from "@/lib/core/plan/read-plan";

import { runPlanPreview } from "./plan-preview";

const FOLDER = join(import.meta.dirname, "examples");
const example = (name: string): string => readFileSync(join(FOLDER, name), "utf8");

test("the example plans and the example job are what the readers take", () => {
  for (const name of ["rehearsal.yaml", "driver-plan.yaml"]) expect(readPlan(example(name)), name).toMatchObject({ ok: true });
  expect(readJob(example("acceptance-job.yaml"))).toMatchObject({ ok: true });
});

test("the rehearsal has the plan's own checks and commands, or it would prove nothing for it (R4.6)", () => {
  const [rehearsal, plan] = ["rehearsal.yaml", "driver-plan.yaml"].map((name) => readPlan(example(name)));
  if (rehearsal?.ok !== true || plan?.ok !== true) throw new Error("an example is no plan");
  for (const part of ["validate", "update", "rollback"] as const) expect(rehearsal.value[part]).toEqual(plan.value[part]);
});

test("the example plan is previewed over the example inventory: four leaves, two nodes at a time", async () => {
  let [said, wrong] = ["", ""];
  const exit = await runPlanPreview(["driver-plan.yaml", "--inventory", "inventory.json", "--json"], {
    readFile: async (path) => Promise.resolve(readFileSync(join(FOLDER, path))),
    out: (text) => (said += text),
    err: (text) => (wrong += text),
  });
  const answer = JSON.parse(said) as { batches: { nodes: { name: string }[] }[]; conflicts: unknown[] };
  expect({ exit, wrong, conflicts: answer.conflicts }).toEqual({ exit: 1, wrong: "", conflicts: [] });
  expect(answer.batches.map((batch) => batch.nodes.map(({ name }) => name))).toEqual([
    ["gpu001", "gpu017"],
    ["gpu002", "gpu018"],
    ["gpu009", "gpu025"],
    ["gpu010", "gpu026"],
  ]);
});
