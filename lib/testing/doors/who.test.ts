import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { actOnChange } from "@/lib/services/act-on-change";
import { actOnCluster } from "@/lib/services/act-on-cluster";
import { createChange } from "@/lib/services/create-change";
import { driverPlan } from "@/lib/demo/driver-plan";
import { NOW } from "@/lib/testing/a-moment";
import { openDoors, type DoorSite } from "./door-site";

let site: DoorSite;
beforeAll(async () => {
  site = await openDoors();
}, 120_000);
afterAll(() => site.close());

const GETS = [
  "/changes",
  "/changes/CH-1",
  "/changes/CH-1/preview",
  "/changes/CH-1/audit",
  "/changes/CH-1/handoff",
  "/acceptance-jobs",
  "/nodes",
  `/evidence/${"0".repeat(64)}`,
  "/openapi.json",
];
const POSTS: readonly (readonly [path: string, body: string])[] = [
  ["/changes", driverPlan({ cluster: "sim-h100", nodes: "gpu[001-002]", from: "1", to: "2", jobs: [], now: NOW })],
  ["/acceptance-jobs", "name: x"],
  ["/changes/CH-1/actions/pause", '{"reason":"lunch break"}'],
  ["/changes/CH-1/evidence?check=x", "output"],
  ["/clusters/sim-h100/actions/stop-all", '{"reason":"fire drill"}'],
];

describe("nobody, and whoever has no good token", () => {
  test.each([...GETS.map((path) => ["GET", path, ""] as const), ...POSTS.map(([path, body]) => ["POST", path, body] as const)])(
    "%s %s is 401 with problem details, and changes nothing",
    async (method, path, body) => {
      const before = await site.contents();
      const told = await site.ask(null, method, path, method === "GET" ? {} : { body });
      expect(told.status).toBe(401);
      expect(told.headers.get("content-type")).toBe("application/problem+json");
      expect(told.headers.get("www-authenticate")).toMatch(/^Bearer/);
      expect(told.body).toMatchObject({
        type: "about:blank",
        status: 401,
        code: "unauthenticated",
        detail: expect.stringContaining("Bearer"),
      });
      expect(await site.contents()).toBe(before);
    },
  );

  test.each([
    "",
    "Bearer",
    "Bearer short",
    `Bearer ${"x".repeat(40)}`,
    `Bearer ${"x".repeat(5000)}`,
    "Basic QUs6eA==",
    "Bearer a b c",
    "Bearer ' or 1=1 --xxxxx",
  ])("the header %j is nobody", async (authorization) =>
    expect((await site.ask(null, "GET", "/changes", { headers: { authorization } })).status).toBe(401),
  );

  test("a revoked, an expired and a disabled person's token are nobody's", async () => {
    for (const [who, spoil] of [
      ["DV", "update api_tokens set revoked_at = now() where person_id = 'DV'"],
      ["AD", "update api_tokens set expires_at = '2000-01-01' where person_id = 'AD'"],
      ["LT", "update people set disabled_at = now() where id = 'LT'"],
    ] as const) {
      expect((await site.ask(who, "GET", "/changes")).status).toBe(200);
      await site.record.sql(spoil);
      expect((await site.ask(who, "GET", "/changes")).status, spoil).toBe(401);
    }
    expect((await site.ask("JS", "GET", "/changes")).status).toBe(200);
  });

  test("/health says whether it works, and nothing about what it works on", async () => {
    const told = await site.ask(null, "GET", "/health");
    expect(told.status).toBe(503);
    expect(Object.keys(told.body).sort()).toEqual(["database", "now", "status", "workers"]);
    expect(told.body).toMatchObject({ status: "no_worker", database: "ok", workers: 0 });
    expect(told.text).not.toMatch(/sim-h100|CH-1|gpu0|postgres|version/i);
  });
});

describe("people", () => {
  test.each(["RB", "AK", "MR"] as const)("%s reads everything", async (who) => {
    for (const path of GETS.filter((one) => !/evidence|preview/.test(one)))
      expect((await site.ask(who, "GET", path)).status, path).toBe(200);
  });

  test("a token that may only read, reads and writes nothing, whoever owns it", async () => {
    expect((await site.ask("reader", "GET", "/changes")).status).toBe(200);
    const before = await site.contents();
    for (const [path, body] of POSTS) {
      expect((await site.ask("reader", "POST", path, { body })).body, path).toMatchObject({
        status: 403,
        detail: "This token may only read.",
      });
    }
    expect(await site.contents()).toBe(before);
  });

  test("what a viewer may not do is 403 in the words of the use case, and is kept in the audit", async () => {
    const viewer = (await site.deps.store.person("RB"))!;
    const pause = await actOnChange(site.deps, { actor: viewer, changeId: "CH-1", action: "pause", input: { reason: "lunch break" } });
    const stop = await actOnCluster(site.deps, {
      actor: viewer,
      clusterId: "sim-h100",
      action: "stop-all",
      input: { reason: "fire drill" },
    });
    const make = await createChange(site.deps, { actor: viewer, yaml: POSTS[0]?.[1] ?? "" });
    const refusals = await site.record.sql<{ n: number }>("select count(*)::int as n from audit_events where action like '%.refused'");
    for (const [told, service] of [
      [await site.ask("RB", "POST", "/changes/CH-1/actions/pause", { body: '{"reason":"lunch break"}' }), pause],
      [await site.ask("RB", "POST", "/clusters/sim-h100/actions/stop-all", { body: '{"reason":"fire drill"}' }), stop],
      [await site.ask("RB", "POST", "/changes", { body: POSTS[0]?.[1] ?? "" }), make],
    ] as const) {
      expect(service.ok).toBe(false);
      expect(told.headers.get("content-type")).toBe("application/problem+json");
      expect(told.body).toMatchObject({ status: 403, code: "not_allowed", detail: service.ok ? "" : service.error.because });
    }
    const after = await site.record.sql<{ n: number }>("select count(*)::int as n from audit_events where action like '%.refused'");
    expect(after[0]?.n).toBe((refusals[0]?.n ?? 0) + 2);
  });

  test("each role does what is its own: a plan, an action, a stop and its end", async () => {
    const made = await site.ask("AK", "POST", "/changes", { body: POSTS[0]?.[1] ?? "" });
    expect([made.status, made.body], made.text).toEqual([201, { id: expect.stringMatching(/^CH-\d+$/) }]);
    const id = String(made.body["id"]);
    expect((await site.ask("RB", "GET", `/changes/${id}/preview`)).body).toMatchObject({ layout: { batches: expect.any(Array) } });
    const asked = await site.ask("MR", "POST", `/changes/${id}/actions/reject-plan`, { body: '{"reason":"not this week"}' });
    expect([asked.status, asked.body], asked.text).toEqual([200, { version: expect.any(Number) }]);
    expect((await site.ask("MR", "POST", "/clusters/sim-h100/actions/stop-all", { body: '{"reason":"fire drill"}' })).status).toBe(403);
    expect((await site.ask("AK", "POST", "/clusters/sim-h100/actions/stop-all", { body: '{"reason":"fire drill"}' })).status).toBe(200);
    const twice = await site.ask("AK", "POST", "/clusters/sim-h100/actions/stop-all", { body: '{"reason":"fire drill"}' });
    expect(twice.body).toMatchObject({ status: 409, code: "closed", detail: "sim-h100 is stopped already." });
    expect((await site.ask("AK", "POST", "/clusters/sim-h100/actions/lift-stop", { body: '{"reason":"it was a drill"}' })).status).toBe(
      403,
    );
    expect((await site.ask("MR", "POST", "/clusters/sim-h100/actions/lift-stop", { body: '{"reason":"it was a drill"}' })).status).toBe(
      200,
    );
  });

  test("what does not exist is 404, what is closed or has moved on is 409", async () => {
    const act = (path: string, body: object) => site.ask("AK", "POST", path, { body: JSON.stringify(body) });
    const reason = "because of this";
    expect((await act("/changes/CH-999/actions/pause", { reason })).body).toMatchObject({
      status: 404,
      detail: "There is no change CH-999.",
    });
    expect((await act("/changes/CH-1/actions/dance", {})).body).toMatchObject({ status: 404, detail: 'There is no action "dance".' });
    expect((await act("/changes/CH-1/actions/constructor", {})).status).toBe(404);
    expect((await act("/changes/CH-1/actions/stop-all", { reason })).status).toBe(422);
    expect((await act("/clusters/none/actions/stop-all", { reason })).status).toBe(404);
    expect((await act("/changes/CH-1/actions/withdraw-node", { on: "no such node", reason })).body).toMatchObject({ status: 404 });
    expect((await act("/changes/CH-1/actions/start-batch", { on: "1" })).status).toBe(409);
    expect((await act("/changes/CH-1/actions/pause", { reason, version: 999 })).body).toMatchObject({ status: 409, code: "conflict" });
    for (const path of [
      "/changes/CH-999",
      "/changes/CH-999/preview",
      "/changes/CH-999/audit",
      "/evidence/abc",
      `/evidence/${"a".repeat(64)}`,
      "/nodes?cluster=none",
    ])
      expect((await site.ask("RB", "GET", path)).body, path).toMatchObject({ status: 404, code: "not_found" });
  });

  test("evidence is always a download, whatever it claims to be", async () => {
    const html = new TextEncoder().encode("<script>alert(1)</script>");
    const sha256 = site.deps.hash.bytes(html);
    await site.deps.store.putEvidence({ sha256, mediaType: "text/html", bytes: html, redactions: 0 });
    const told = await site.ask("RB", "GET", `/evidence/${sha256}`);
    expect(told.status).toBe(200);
    expect(Object.fromEntries(told.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${sha256}.txt"`,
      "x-content-type-options": "nosniff",
    });
    expect(told.text).toBe("<script>alert(1)</script>");
  });
});
