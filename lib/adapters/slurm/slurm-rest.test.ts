import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { SlurmCli } from "./slurm-cli";
import { slurmScheduler } from "./slurm-scheduler";

/** A scripted slurmrestd: answers by "METHOD path", anything else is 404. */
let server: Server;
let url = "";
let answers: Record<string, { status: number; body: unknown; type?: string }> = {};
const asked: { line: string; body: string; headers: Record<string, unknown> }[] = [];

beforeEach(async () => {
  asked.length = 0;
  answers = {};
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const line = `${request.method} ${request.url}`;
      asked.push({ line, body: Buffer.concat(chunks).toString(), headers: request.headers });
      const { status, body, type } = answers[line] ?? { status: 404, body: "Not found", type: "text/plain" };
      response
        .writeHead(status, { "content-type": type ?? "application/json" })
        .end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ran: (readonly string[])[] = [];
const NO_RESERVATIONS = Buffer.from("No reservations in the system\n");
const noPrograms: SlurmCli = {
  run: async (argv) => {
    if (argv.includes("show")) {
      const now = new Date();
      const end = { exitCode: 0, signal: null, stdout: NO_RESERVATIONS, stderr: new Uint8Array(), truncated: false };
      return { ok: true, value: { ...end, startedAt: now, endedAt: now } };
    }
    ran.push(argv);
    return { ok: false, error: { code: "unreachable", because: "no programs here" } };
  },
};
const offers = (...versions: number[]) => ({
  status: 200,
  body: { paths: Object.fromEntries(versions.map((version) => [`/slurm/v0.0.${version}/nodes`, {}])) },
});
const scheduler = (version?: string) =>
  slurmScheduler({
    rest: { url: `${url}/`, user: "clearance", token: () => "s3cret", version },
    cli: noPrograms,
    reservation: { users: ["a"] },
  });
const node = (version: string) => ({
  meta: { plugin: { type: "openapi/slurmctld", data_parser: `data_parser/${version}` }, slurm: { release: "23.11.4" } },
  errors: [],
  nodes: [
    { name: "gpu001", state: ["IDLE", "DRAIN"], reason: "x", alloc_cpus: 0, gres: "gpu:h100:8", partitions: ["train"], features: [] },
  ],
});

describe("slurmrestd of other releases", () => {
  it.each([
    ["the newest that both know", [38, 40, 39], "v0.0.40"],
    ["not one that nobody here can read", [41, 45, 46, 99], "v0.0.45"],
  ])("takes %s", async (_title, versions, taken) => {
    answers = { "GET /openapi/v3": offers(...versions), [`GET /slurm/${taken}/nodes`]: { status: 200, body: node(taken) } };
    const list = await scheduler().listNodes();
    expect(list).toMatchObject({ ok: true, value: { entries: [{ name: "gpu001", state: "drained" }], version: taken } });
    expect(list.ok && list.value.request).toBe(`GET ${url}/slurm/${taken}/nodes; scontrol --all -o show reservation`);
    expect(asked.every(({ headers }) => headers["x-slurm-user-name"] === "clearance" && headers["x-slurm-user-token"] === "s3cret")).toBe(
      true,
    );
  });

  it("offers nothing that can be read: unsupported_version", async () => {
    answers = { "GET /openapi/v3": offers(31, 50) };
    expect(await scheduler().listNodes()).toMatchObject({ ok: false, error: { code: "unsupported_version" } });
    answers = { "GET /openapi/v3": { status: 200, body: "{}" } };
    expect(await scheduler().listNodes()).toMatchObject({ ok: false, error: { code: "unsupported_version" } });
  });

  it("after an upgrade of the server the version is found anew", async () => {
    answers = { "GET /openapi/v3": offers(39), "GET /slurm/v0.0.39/nodes": { status: 200, body: node("v0.0.39") } };
    const one = scheduler();
    expect((await one.listNodes()).ok).toBe(true);
    answers = { "GET /openapi/v3": offers(42), "GET /slurm/v0.0.42/nodes": { status: 200, body: node("v0.0.42") } };
    expect((await one.listNodes()).ok).toBe(false);
    expect((await one.listNodes()).ok).toBe(true);
  });

  it("R9.5: drains and resumes by REST from v0.0.39 on, one node per call", async () => {
    answers = { "POST /slurm/v0.0.40/node/gpu001": { status: 200, body: { errors: [] } } };
    const one = scheduler("v0.0.40");
    expect(await one.drain("gpu001", 'clearance:x/gpu001 "q"\n')).toEqual({ ok: true, value: undefined });
    expect(await one.resume("gpu001")).toEqual({ ok: true, value: undefined });
    expect(asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { state: ["DRAIN"], reason: 'clearance:x/gpu001 "q"' },
      { state: ["RESUME"] },
    ]);
    expect(ran).toEqual([]);
  });

  it("before v0.0.39 drains go by program", async () => {
    expect(await scheduler("v0.0.38").drain("gpu001", "r")).toMatchObject({ ok: false, error: { because: "no programs here" } });
    expect(ran.at(-1)).toEqual(["scontrol", "update", "nodename=gpu001", "state=drain", "reason=r"]);
    expect(asked).toEqual([]);
  });

  it.each([
    ["errors with HTTP 200", 200, { errors: [{ error: "Invalid node state specified", error_number: 2011 }] }, "invalid_state"],
    ["an unknown node", 500, { errors: [{ error: "Invalid node name specified", errno: 2018 }] }, "not_found"],
    ["no right", 500, { errors: [{ description: "x", error_number: 2002, error: "Access/permission denied" }] }, "denied"],
    ["no method", 405, "POST not allowed", "unsupported_version"],
    ["a wrong token", 401, "Authentication failure", "denied"],
    ["a controller that is away", 500, { errors: [{ error: "Unspecified error", errno: -1 }] }, "unreachable"],
    ["an unknown error", 500, { errors: [{ error: "Something new", error_code: 9999 }] }, "refused"],
    ["a gateway's page", 502, "<html>", "unreachable"],
  ])("%s is no success", async (_title, status, body, code) => {
    answers = { "POST /slurm/v0.0.40/node/gpu001": { status, body, type: typeof body === "string" ? "text/plain" : undefined } };
    const written = await scheduler("v0.0.40").resume("gpu001");
    expect(written).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(written)).not.toContain("s3cret");
  });

  it.each([
    ["errors beside an empty list", { meta: {}, errors: [{ error: "Unable to contact slurm controller" }], nodes: [] }],
    ["an empty list", { meta: { plugin: { data_parser: "data_parser/v0.0.40" } }, errors: [], nodes: [] }],
    ["another document", { hello: "world" }],
    ["half a document", '{"nodes": [{"name": "gpu0'],
  ])("R2.3: %s is no list of nodes", async (_title, body) => {
    answers = { "GET /slurm/v0.0.40/nodes": { status: 200, body } };
    expect((await scheduler("v0.0.40").listNodes()).ok).toBe(false);
  });

  it("ping needs a controller that is up", async () => {
    const pinged = (pings: object[]) => ({ status: 200, body: { meta: { slurm: { release: "23.11.4" } }, errors: [], pings } });
    answers = {
      "GET /slurm/v0.0.40/ping": pinged([
        { hostname: "a", pinged: "DOWN" },
        { hostname: "b", pinged: "UP" },
      ]),
    };
    expect(await scheduler("v0.0.40").ping()).toEqual({ ok: true, value: { version: "23.11.4" } });
    answers = { "GET /slurm/v0.0.40/ping": pinged([{ hostname: "a", pinged: "DOWN", responding: false }]) };
    expect(await scheduler("v0.0.40").ping()).toMatchObject({ ok: false, error: { code: "unreachable" } });
    answers = { "GET /slurm/v0.0.40/ping": pinged([]) };
    expect(await scheduler("v0.0.40").ping()).toMatchObject({ ok: false, error: { code: "unreachable" } });
  });
});
