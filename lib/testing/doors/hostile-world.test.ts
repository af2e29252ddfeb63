import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prometheusMetrics } from "@/lib/adapters/prometheus/prometheus-metrics";
import { slurmScheduler } from "@/lib/adapters/slurm/slurm-scheduler";
import { SeriesSeen } from "@/lib/core/check/series";
import { judgeSeries } from "@/lib/core/check/telemetry";
import type { ClusterWorld, Deps } from "@/lib/services/deps";
import { observePrometheus } from "@/lib/services/observe/observe-prometheus";
import { observeSlurm } from "@/lib/services/observe/observe-slurm";
import { CLUSTER } from "@/lib/testing/store-contract-record";
import { openDoors, type DoorSite } from "./door-site";
import { HOSTILE } from "./hostile";

let site: DoorSite;
let server: Server;
let world: ClusterWorld;
let metrics: unknown = [];
const queries: string[] = [];
const REASONS = Object.values(HOSTILE).slice(0, 12);
const named = (n: number): string => `gpu${String(n + 1).padStart(3, "0")}`;

/** A slurmrestd and a Prometheus that answer in their own form, with whatever somebody wrote into a reason or a label. */
beforeAll(async () => {
  site = await openDoors();
  server = createServer((request, response) => {
    const path = request.url ?? "";
    const said = (body: unknown) => response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    const meta = { plugin: { type: "openapi/slurmctld", data_parser: "data_parser/v0.0.40" }, slurm: { release: "23.11.4" } };
    if (path.endsWith("/nodes")) {
      const nodes = REASONS.map((reason, n) => ({
        name: named(n),
        state: ["IDLE", "DRAIN"],
        reason,
        alloc_cpus: 0,
        gres: "gpu:h100:8",
        partitions: ["train"],
        features: [],
      }));
      return void said({ meta, errors: [], nodes });
    }
    if (path.endsWith("/jobs")) return void said({ meta, errors: [], jobs: [] });
    if (path.includes("/buildinfo")) return void said({ status: "success", data: { version: "3.5.0" } });
    void bodyOf(request).then((body) => {
      queries.push(new URLSearchParams(body || path.split("?")[1]).get("query") ?? "");
      said({ status: "success", data: { resultType: "vector", result: metrics } });
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const nothing = {
    exitCode: 0,
    signal: null,
    stdout: new TextEncoder().encode("No reservations in the system\n"),
    stderr: new Uint8Array(),
  };
  const scheduler = slurmScheduler({
    rest: { url, user: "clearance", token: () => "s3cret", version: "v0.0.40" },
    cli: {
      run: () => Promise.resolve({ ok: true, value: { ...nothing, truncated: false, startedAt: new Date(0), endedAt: new Date(0) } }),
    },
    reservation: { users: ["clearance"] },
  });
  const unused = null as unknown as ClusterWorld["shell"];
  world = {
    scheduler,
    shell: unused,
    metrics: prometheusMetrics({ url }),
    rebootVia: "ssh",
    nodeLabel: "Hostname",
  };
}, 180_000);
async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await site.close();
});

test("a reason that somebody gave Slurm comes out of the API as the text it is", async () => {
  const changes = await site.record.sql("select id, state, version from changes");
  await observeSlurm(site.deps, world, CLUSTER);
  const told = await site.ask("RB", "GET", "/nodes");
  expect(told.headers.get("content-type")).toBe("application/json");
  const nodes = told.body["nodes"] as { name: string; service: string; serviceReason: string | null }[];
  for (const [n, reason] of REASONS.entries()) {
    const node = nodes.find((one) => one.name === named(n));
    // What no database holds is replaced; everything else stays letter by letter.
    const kept = reason.replaceAll("\u0000", "\ufffd").replace(/\p{Cs}/gu, "\ufffd");
    expect([node?.service, node?.serviceReason], JSON.stringify(reason)).toEqual(["drained", kept]);
  }
  expect(await site.record.sql("select id, state, version from changes")).toEqual(changes);
  expect(site.broken).toEqual([]);
}, 120_000);

test("what has not changed is not written again, whatever stands in the reason (R1.2)", async () => {
  const count = () =>
    site.record.sql("select count(*)::int as n, count(distinct subject_id)::int as nodes from observations where source = 'slurm'");
  await observeSlurm(site.deps, world, CLUSTER);
  const once = await count();
  await observeSlurm(site.deps, world, CLUSTER);
  await observeSlurm(site.deps, world, CLUSTER);
  expect(await count()).toEqual(once);
}, 120_000);

test("hostile labels of Prometheus are nobody's value; the answer is kept and only ever downloaded", async () => {
  metrics = Object.values(HOSTILE).map((text, n) => ({
    metric: { __name__: "x", __proto__x: "y", Hostname: text, instance: text, gpu: String(n), [`label_${n}`]: text },
    value: [1_796_770_800, "0"],
  }));
  const [subject] = (await site.deps.store.subjects(CLUSTER)).filter(({ name }) => name === "gpu001");
  if (subject === undefined) throw new Error("gpu001 is not known");
  const wanted = [{ name: "remapped rows", query: 'x{Hostname="{node}"}', subjects: [subject] }];
  const deps: Deps = { ...site.deps, store: { ...site.deps.store, wantedTelemetry: () => Promise.resolve(wanted) } };
  await observePrometheus(deps, world, CLUSTER);
  const seen = await site.record.sql<{ kind: string; value: { series?: unknown[] } | null; sha: string | null }>(
    "select kind, value, encode(evidence_sha, 'hex') as sha from observations where source like 'prometheus/%' and subject_id = $1",
    [subject.subjectId],
  );
  expect(seen).toHaveLength(1);
  expect(JSON.stringify(seen[0]?.value)).not.toMatch(/alert\(1\)|drop table/);
  const raw = await site.ask("RB", "GET", `/evidence/${seen[0]?.sha}`);
  expect([raw.status, raw.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
  expect(raw.text).toContain("<script>alert(1)</script>");
}, 120_000);

test("a series of the node itself with hostile labels and values is unresolved, breaks out of no query and is shown as text", async () => {
  const values = ["NaN", "+Inf", "1e400", "0x10", " 0", "", "9".repeat(400), "\u0000", "null", "-0", "1_000", "\u0661", "0\u202e", "0"];
  const hostile = [...Object.values(HOSTILE), '"} or vector(1) #', "a\\", "a|b"];
  metrics = hostile.map((text, n) => ({
    metric: { __name__: text, Hostname: "gpu001", instance: text, job: text, gpu: text, UUID: text, [text]: text },
    value: [1_796_770_800, values[n % values.length]],
  }));
  const [subject] = (await site.deps.store.subjects(CLUSTER)).filter(({ name }) => name === "gpu001");
  if (subject === undefined) throw new Error("gpu001 is not known");
  const wanted = [{ name: "own rows", query: 'x{Hostname="{node}"}', subjects: [subject] }];
  const deps: Deps = { ...site.deps, store: { ...site.deps.store, wantedTelemetry: () => Promise.resolve(wanted) } };
  queries.length = 0;
  await observePrometheus(deps, world, CLUSTER);
  for (const query of queries.filter((one) => one.startsWith("up"))) {
    const [, quoted] = /^up\{instance=~(".*")\}$/s.exec(query) ?? [];
    expect(JSON.parse(quoted ?? "0"), query.slice(0, 300)).toEqual(expect.any(String));
    expect((quoted ?? "").slice(1, -1).replace(/\\./gs, "")).not.toContain('"');
  }
  expect(queries.length).toBeGreaterThan(1);
  const [seen] = await site.record.sql<{ id: number; kind: string; value: unknown }>(
    "select id, kind, value from observations where source = 'prometheus/own rows' and subject_id = $1",
    [subject.subjectId],
  );
  const read = SeriesSeen.parse(seen?.value);
  const spec = {
    kind: "telemetry" as const,
    query: "x",
    expect: { atMost: { value: 1e308 } },
    seriesPerNode: hostile.length,
    freshnessMs: 60_000,
    settleMs: 0,
  };
  const judged = judgeSeries(read, null, spec, { now: new Date(read.readAt), bootedAt: null, stepEndedAt: null });
  expect(judged).toMatchObject({ verdict: "unresolved" });
  expect(JSON.stringify(judged)).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
  const told = await site.ask("RB", "GET", "/changes/CH-1");
  expect(told.status).toBe(200);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(site.broken).toEqual([]);
}, 120_000);
