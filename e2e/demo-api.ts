import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, type Page } from "@playwright/test";

type Person = { readonly id: string; readonly token: string };
type Action = { readonly action: string; readonly on: string | null; readonly permitted: boolean; readonly because: readonly string[] };
type Change = {
  readonly id: string;
  readonly version: number;
  readonly actions: readonly Action[];
  readonly tally: Readonly<Record<string, number>>;
  readonly headline: { readonly next: string };
};

/** What the API says of a change to the demo person with these initials. */
export async function changeByApi(page: Page, initials: string, id: string): Promise<Change> {
  const answer = await page.request.get(`/api/v1/changes/${id}`, { headers: bearer(initials) });
  return (await answer.json()) as Change;
}

/** Records a plan as this person and gives the change's id. */
export async function recordPlanByApi(page: Page, initials: string, yaml: string): Promise<string> {
  const answer = await page.request.post("/api/v1/changes", { headers: { ...bearer(initials), "content-type": "text/yaml" }, data: yaml });
  expect(answer.status(), await answer.text()).toBe(201);
  return ((await answer.json()) as { id: string }).id;
}

/** One action as this person: how the API answered. */
export async function actByApi(
  page: Page,
  initials: string,
  id: string,
  action: string,
  input: object,
): Promise<{ readonly status: number; readonly detail: string }> {
  const answer = await page.request.post(`/api/v1/changes/${id}/actions/${action}`, { headers: bearer(initials), data: input });
  const body = (await answer.json()) as { readonly detail?: string };
  return { status: answer.status(), detail: body.detail ?? "" };
}

function bearer(initials: string): { authorization: string } {
  const file = join(process.env.CLEARANCE_E2E_DATA ?? ".clearance", "demo-people.json");
  const people = JSON.parse(readFileSync(file, "utf8")) as readonly Person[];
  return { authorization: `Bearer ${people.find((person) => person.id === initials)?.token ?? ""}` };
}

/** A small rehearsal on the cluster that may be destroyed. */
export const rehearsalPlan = (title: string, nodes: string): string => `apiVersion: clearance/v1
title: ${title}
cluster: sim-test
type: gpu_driver
target: {nodes: "${nodes}", driver: 570.172.08}
batchSize: 2
interBatchDelay: 5s
canaries: {perClass: 1}
windows: [{start: 2026-01-01T00:00, end: 2036-01-01T00:00, timezone: UTC}]
persistence: {kind: none}
update: [{name: install, on: node, run: "install-driver 570.172.08", timeout: 5m}]
validate:
  - {name: driver version, run: "nvidia-smi --query-gpu=driver_version --format=csv,noheader", expect: {every: 570.172.08}}
rollback: {components: [{name: driver, capability: tested, run: "install-driver {saved}"}]}
people: {operator: [AK], workloadOwner: [LT], approver: [MR], secondEngineer: [JS], decisionOwner: DV}
`;
