import { request } from "node:http";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { control, startTestSite, type TestSite } from "./test-site";

let site: TestSite;
beforeAll(async () => void (site = await startTestSite()));
afterAll(() => site.stop());

/** `fetch` does not let a caller choose the Host header. */
function askAs(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = new URL(`${site.simulator.controlUrl}/_control/state`);
    request({ host: "127.0.0.1", port: url.port, path: url.pathname, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}

describe("who may ask", () => {
  it.each([
    [{}, 200],
    [{ host: "localhost:1" }, 200],
    [{ host: "evil.example" }, 403],
    [{ host: "127.0.0.1.evil.example" }, 403],
    [{ origin: "http://127.0.0.1:3000" }, 403],
  ])("%j gets %i", async (headers, status) => expect(await askAs(headers as Record<string, string>)).toBe(status));
});

describe("faults", () => {
  it.each([
    ["an unknown fault", { cluster: "lab", fault: "earthquake" }, 'unknown fault "earthquake"'],
    ["an unknown cluster", { cluster: "x", fault: "scheduler-down" }, 'unknown cluster "x"'],
    ["no cluster", { fault: "ssh-hangs" }, "cluster: needed"],
    ["an unknown node", { cluster: "lab", node: "n99", fault: "ssh-hangs" }, 'lab has no "n99"'],
    ["a broken host list", { cluster: "lab", node: "n[1-", fault: "ssh-hangs" }, "no host list"],
    ["no node where one is needed", { cluster: "lab", fault: "foreign-drain", reason: "x" }, "node: needed"],
    ["a node where none is meant", { cluster: "lab", node: "n01", fault: "scheduler-down" }, "whole cluster"],
    ["a parameter that does not exist", { cluster: "lab", node: "n01", fault: "ssh-hangs", colour: "red" }, "colour"],
    ["a wrong parameter", { cluster: "lab", node: "n01", fault: "all-reduce-slow", percent: "much" }, "percent"],
    ["no JSON object", [], "body"],
  ])("%s is a 400 that names the place and lists the faults", async (_, body, text) => {
    const reply = await control(site, "faults", body);
    expect(reply.status).toBe(400);
    expect(reply.json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining(text),
      lasting: expect.arrayContaining(["drain-stuck"]),
    });
  });

  it("end by themselves, by name, or all at once", async () => {
    const now = Date.parse((await control(site, "state")).json().now) / 1000;
    await control(site, "faults", { cluster: "lab", node: "n[01-02]", fault: "dcgm-not-run", until: now - 1 });
    await control(site, "faults", { cluster: "lab", node: "n01", fault: "ssh-hangs" });
    await control(site, "faults", { cluster: "lab", fault: "scheduler-slow", milliseconds: 5 });
    const active = async (): Promise<string[]> => (await control(site, "faults")).json().active.map((f: { kind: string }) => f.kind);
    expect(await active()).toEqual(["ssh-hangs", "scheduler-slow"]);
    await control(site, "faults", { cluster: "lab", node: "n01", fault: "ssh-hangs", clear: true });
    expect(await active()).toEqual(["scheduler-slow"]);
    const all = await fetch(`${site.simulator.controlUrl}/_control/faults`, { method: "DELETE" });
    expect([await all.json(), await active()]).toEqual([{ cleared: 1 }, []]);
  });
});

describe("state, journal, time", () => {
  it("the state names every node with its flags, versions and boot, and holds the journal", async () => {
    const state = (await control(site, "state")).json();
    expect(state.nodes).toHaveLength(8);
    expect(state.nodes.find((n: { name: string }) => n.name === "n08")).toMatchObject({
      state: "IDLE",
      flags: ["DRAIN"],
      reason: "DIMM replacement, ticket 123",
      driver: { running: "570.133.20", installed: "570.133.20" },
      bootId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      power: "on",
    });
    const { seq } = state.journal.at(-1);
    expect((await control(site, `journal?after=${seq}`)).json()).toEqual([]);
    expect((await control(site, "journal?after=x")).status).toBe(400);
  });

  it("the shown clock runs ten times as fast, and can be set", async () => {
    const shown = async (): Promise<number> => Date.parse((await control(site, "state")).json().now);
    const [a, from] = [await shown(), Date.now()];
    while (Date.now() - from < 150) await new Promise((resolve) => setImmediate(resolve));
    expect((await shown()) - a).toBeGreaterThanOrEqual(1500);
    expect((await control(site, "time", { factor: 1, shown: "2030-01-01T00:00:00Z" })).json().now).toMatch(/^2030-01-01T00:00:0/);
    expect((await control(site, "time", { factor: -1 })).status).toBe(400);
    expect((await control(site, "time", { hour: 3 })).status).toBe(400);
  });
});
