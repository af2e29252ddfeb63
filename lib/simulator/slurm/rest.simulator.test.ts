/** The served bodies beside those of a real slurmrestd 22.05 (`samples/`), and its statuses as they were measured. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { control, run, slurm, startTestSite, until, type TestSite } from "@/lib/simulator/test-site";

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite();
  await control(site, "faults", { cluster: "lab", fault: "user-job", node: "n02", minutes: "unlimited" });
  await control(site, "faults", { cluster: "lab", fault: "user-job", node: "n08", minutes: 5 });
  await run(
    site,
    "head",
    "scontrol create reservation ReservationName=r flags=MAINT,IGNORE_JOBS nodes=n03 users=root start=now duration=10",
  );
  await until(async () => (await slurm(site, "/slurm/v0.0.38/jobs")).json().jobs[0].job_state === "RUNNING", "the job runs");
});
afterAll(() => site.stop());

const sample = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, "../samples", `slurmrestd-22.05-${name}.json`), "utf8"));
/** A value's kind; a null of the real one says nothing about the kind. */
const kind = (value: unknown): string => (Array.isArray(value) ? "list" : value === null ? "null" : typeof value);
const same = (real: unknown, ours: unknown): boolean => kind(real) === kind(ours) || kind(real) === "null" || kind(ours) === "null";

describe("v0.0.38 against the real bodies", () => {
  it.each(["nodes", "jobs", "reservations"])("%s: every key of the real one, of the same kind, and no other", async (list) => {
    const real = sample(list);
    const ours = (await slurm(site, `/slurm/v0.0.38/${list}`)).json();
    expect(Object.keys(ours)).toEqual(Object.keys(real));
    expect(ours.meta).toEqual(real.meta);
    const [theirs, mine] = [real[list][0], ours[list][0]];
    expect(Object.keys(mine).sort()).toEqual(Object.keys(theirs).sort());
    for (const key of Object.keys(theirs)) expect([key, same(theirs[key], mine[key])]).toEqual([key, true]);
  });

  it("a pending job has no job_resources, as in the real list", async () => {
    const real = sample("jobs").jobs.find((j: { job_state: string }) => j.job_state === "PENDING");
    const ours = (await slurm(site, "/slurm/v0.0.38/jobs")).json().jobs.find((j: { job_state: string }) => j.job_state === "PENDING");
    expect([real, ours].map((j) => "job_resources" in j)).toEqual([false, false]);
    expect(ours).toMatchObject({ state_reason: "ReqNodeNotAvail", nodes: "", start_time: 0, required_nodes: "n08" });
  });

  it.each([
    ["no token", "/slurm/v0.0.38/nodes", { headers: { "x-slurm-user-token": undefined } }, 401, "Authentication failure"],
    ["junk token", "/slurm/v0.0.38/nodes", { headers: { "x-slurm-user-token": "junk" } }, 500, '"errno": -1'],
    ["unknown node", "/slurm/v0.0.38/node/nosuch", {}, 500, '"errno": 2018'],
    ["unknown job", "/slurm/v0.0.38/job/99", {}, 500, '"error_number": 2017'],
    ["unknown version", "/slurm/v0.0.99/nodes", {}, 404, "Unable find requested URL. Please view /openapi/v3 for API reference."],
    [
      "node update",
      "/slurm/v0.0.38/node/n01",
      { method: "POST", body: '{"state":["DRAIN"]}' },
      405,
      "Requested REST method is not defined at URL.",
    ],
    [
      "submit without environment",
      "/slurm/v0.0.38/job/submit",
      { method: "POST", body: '{"script":"#!/bin/sh\\n","job":{"name":"x"}}' },
      400,
      "2127",
    ],
    ["broken body", "/slurm/v0.0.40/node/n01", { method: "POST", body: "{" }, 400, "9001"],
  ])("%s", async (_, path, init, status, text) => {
    const headers = Object.fromEntries(
      Object.entries((init as { headers?: Record<string, string | undefined> }).headers ?? {}).filter(([, v]) => v !== undefined),
    );
    const without = (init as { headers?: Record<string, unknown> }).headers?.["x-slurm-user-token"] === undefined && "headers" in init;
    const reply = without
      ? await fetch(site.cluster.restUrl + path).then(async (r) => ({ status: r.status, text: await r.text() }))
      : await slurm(site, path, { ...init, headers } as RequestInit);
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(text);
  });
});

describe("v0.0.40", () => {
  it("states are lists, times are objects, no limit is infinite with number 0", async () => {
    const node = (await slurm(site, "/slurm/v0.0.40/node/n02")).json().nodes[0];
    expect(node).toMatchObject({ state: ["ALLOCATED"], boot_time: { set: true, infinite: false }, partitions: ["train"] });
    const [job] = (await slurm(site, "/slurm/v0.0.40/jobs")).json().jobs;
    expect(job).toMatchObject({ job_state: ["RUNNING"], time_limit: { set: false, infinite: true, number: 0 }, nodes: "n02" });
    expect((await slurm(site, "/slurm/v0.0.40/node/n03")).json().nodes[0]).toMatchObject({
      state: ["IDLE", "MAINTENANCE", "RESERVED"],
      reservation: "r",
    });
  });

  it("drains and resumes one node, names who, and knows the scheduler's refusals", async () => {
    const update = (body: unknown, node = "n04") =>
      slurm(site, `/slurm/v0.0.40/node/${node}`, { method: "POST", body: JSON.stringify(body) });
    expect((await update({ state: ["DRAIN"], reason: "clearance:c1/n04" })).json()).toMatchObject({ errors: [], warnings: [] });
    expect((await slurm(site, "/slurm/v0.0.40/node/n04")).json().nodes[0]).toMatchObject({
      state: ["IDLE", "DRAIN"],
      reason: "clearance:c1/n04",
      reason_set_by_user: "root",
    });
    expect((await update({ state: ["RESUME"] })).status).toBe(200);
    expect((await update({ state: ["RESUME"] })).json().errors).toMatchObject([
      { error_number: 2019, error: "Invalid node state specified" },
    ]);
    expect((await update({ state: ["RESUME"] }, "n99")).json().errors).toMatchObject([{ error_number: 2018 }]);
    expect((await update({ state: ["REBOOT"] })).status).toBe(400);
  });

  it("openapi lists what is served, and a node POST only where there is one", async () => {
    const { paths } = (await slurm(site, "/openapi/v3")).json();
    expect(Object.keys(paths["/slurm/v0.0.40/node/{node_name}"])).toEqual(["get", "post"]);
    expect(Object.keys(paths["/slurm/v0.0.38/node/{node_name}"])).toEqual(["get"]);
  });
});

describe("a scheduler in trouble", () => {
  it("down: an error body over REST, exit 0 with errors[] for JSON, exit 1 for text; nothing starts", async () => {
    await control(site, "faults", { cluster: "lab", fault: "scheduler-down" });
    expect(await slurm(site, "/slurm/v0.0.40/nodes")).toMatchObject({
      status: 500,
      text: expect.stringContaining("Unable to contact slurm controller"),
    });
    const json = await run(site, "head", "squeue --json");
    expect([json.code, JSON.parse(json.out).jobs, JSON.parse(json.out).errors.length]).toEqual([0, [], 1]);
    expect(await run(site, "head", "sinfo")).toMatchObject({
      code: 1,
      err: "slurm_load_partitions: Unable to contact slurm controller (connect failure)\n",
    });
    expect(await run(site, "head", "scontrol ping")).toMatchObject({ code: 1, out: "Slurmctld(primary) at ctl1 is DOWN\n" });
    await control(site, "faults", { cluster: "lab", fault: "scheduler-down", clear: true });
  });

  it("errors with status 200 and an empty list", async () => {
    await control(site, "faults", { cluster: "lab", fault: "scheduler-errors-200" });
    const reply = await slurm(site, "/slurm/v0.0.40/nodes");
    expect([reply.status, reply.json().nodes, reply.json().errors.length]).toEqual([200, [], 1]);
    await control(site, "faults", { cluster: "lab", fault: "scheduler-errors-200", clear: true });
  });
});
