import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runClearance } from "@/lib/cli/run-clearance";
import { aJobSpec } from "@/lib/testing/a-job";
import { NOW } from "@/lib/testing/a-moment";
import { driverPlan } from "@/lib/demo/driver-plan";
import { callRoute } from "./call-route";
import { openDoors, type DoorSite } from "./door-site";

let site: DoorSite;
let server: Server;
beforeAll(async () => {
  site = await openDoors();
  server = createServer((request, response) => {
    void bodyOf(request).then(async (body) => {
      const { authorization } = request.headers;
      const told = await callRoute({
        method: request.method ?? "",
        path: (request.url ?? "").replace("/api/v1", ""),
        headers: authorization === undefined ? {} : { authorization },
        ...(request.method === "POST" ? { body } : {}),
      });
      response.writeHead(told.status, Object.fromEntries(told.headers)).end(told.text);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
}, 180_000);
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await site.close();
});

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return new Uint8Array(Buffer.concat(parts));
}

async function clearance(who: "AK" | "RB", ...argv: string[]): Promise<{ exit: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const env = { CLEARANCE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CLEARANCE_TOKEN: site.tokens[who] };
  const plan = driverPlan({ cluster: "sim-h100", nodes: "gpu[001-002]", from: "1", to: "2", jobs: [], now: NOW });
  const readFile = (path: string) => Promise.resolve(new TextEncoder().encode(path === "plan.yaml" ? plan : "title: [x"));
  const exit = await runClearance(argv, {
    env,
    readFile,
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
  });
  return { exit, ...said };
}

test("change create, show and act go through the routes, and say what these say", async () => {
  const made = await clearance("AK", "change", "create", "plan.yaml");
  expect(made.exit, made.err).toBe(0);
  const { id } = JSON.parse(made.out) as { id: string };
  const shown = await clearance("RB", "change", "show", id);
  expect(JSON.parse(shown.out)).toMatchObject({ id, state: "PENDING" });
  const viewer = await clearance("RB", "change", "act", id, "pause", '{"reason":"lunch break"}');
  expect([viewer.exit, viewer.err]).toEqual([1, "Not allowed: Only an operator may do this.\n"]);
  const late = await clearance("AK", "change", "act", id, "pause", '{"reason":"lunch break","version":999}');
  expect([late.exit, late.err]).toEqual([1, expect.stringMatching(/version 999 was seen/)]);
  const unknown = await clearance("AK", "change", "act", id, "withdraw", '{"reason":"not needed","force":true}');
  expect([unknown.exit, unknown.err]).toEqual([2, expect.stringMatching(/\n {2}the body: .*force/)]);
  const withdrawn = await clearance("AK", "change", "act", id, "withdraw", '{"reason":"not needed"}');
  expect([withdrawn.exit, JSON.parse(withdrawn.out)]).toEqual([0, { version: expect.any(Number) }]);
}, 120_000);

test("a broken plan, an unknown change and an unknown chain end with 2 and one clear sentence", async () => {
  const broken = await clearance("AK", "change", "create", "broken.yaml");
  expect([broken.exit, broken.err]).toEqual([2, expect.stringMatching(/\n {2}line 1, /)]);
  const unknown = await clearance("AK", "change", "show", "CH-999");
  expect([unknown.exit, unknown.err]).toEqual([2, "There is no such thing: There is no change CH-999.\n"]);
  const chain = await clearance("AK", "audit", "verify", "CH-999");
  expect([chain.exit, chain.err]).toEqual([2, "CH-999: There is no such thing: There is no change CH-999.\n"]);
}, 120_000);

test("audit verify without a name finds a site intact where nothing has happened yet, and broken where its first line is gone (R12.3)", async () => {
  const quiet = await clearance("AK", "audit", "verify");
  expect([quiet.exit, quiet.err]).toEqual([0, ""]);
  expect(JSON.parse(quiet.out)).toMatchObject({ chains: [{ chain: "site", verdict: { intact: true, events: 0 } }, {}, {}] });
  await site.record.sql(
    `insert into acceptance_jobs (id, name, version, spec, fingerprint, author_id, created_at)
     values ('smuggled@1', 'smuggled', 1, $1, decode(repeat('00', 32), 'hex'), 'LT', now())`,
    [JSON.stringify(aJobSpec({ name: "smuggled", version: 1 }))],
  );
  const robbed = await clearance("AK", "audit", "verify", "site");
  expect([robbed.exit, robbed.out]).toEqual([1, expect.stringContaining("the chain has no first entry")]);
}, 120_000);

test("audit verify finds an intact chain, and a line that was changed behind its back", async () => {
  const intact = await clearance("AK", "audit", "verify", "CH-1");
  expect([intact.exit, JSON.parse(intact.out)]).toMatchObject([0, { chains: [{ chain: "CH-1", verdict: { intact: true } }] }]);
  // The database refuses this by itself: trigger and constraint have to be out of the way first.
  await site.record.sql("alter table audit_events disable trigger all");
  await site.record.sql("alter table audit_events drop constraint audit_hash");
  await site.record.sql("update audit_events set body = body || ' ' where chain = 'CH-1' and seq = 1");
  const broken = await clearance("AK", "audit", "verify", "CH-1");
  expect([broken.exit, broken.out]).toEqual([1, expect.stringMatching(/entry 1 .* was changed after it was written/)]);
}, 120_000);
