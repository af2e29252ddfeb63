import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";

import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { runAudit } from "./audit";
import { runChange } from "./change";

type Asked = { method: string; url: string; authorization: string; body: string };
let server: Server;
let asked: Asked[] = [];
let answer: (request: Asked) => { status: number; body: string } = () => ({ status: 200, body: "{}" });

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const seen = {
        method: request.method ?? "",
        url: request.url ?? "",
        authorization: request.headers.authorization ?? "",
        body: Buffer.concat(chunks).toString(),
      };
      asked.push(seen);
      const { status, body } = answer(seen);
      response.writeHead(status).end(body);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
});
afterAll(() => new Promise((done) => server.close(done)));
beforeEach(() => {
  asked = [];
});

function io(over: Record<string, string | undefined> = {}) {
  const said = { out: "", err: "" };
  const env = { CLEARANCE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CLEARANCE_TOKEN: "clr_secret", ...over };
  const readFile = async (path: string): Promise<Uint8Array> => {
    if (path === "gone") throw new Error("ENOENT gone");
    return Buffer.from(`text of ${path}`);
  };
  return { said, env, readFile, out: (text: string) => void (said.out += text), err: (text: string) => void (said.err += text) };
}

test("create sends the plan as it stands in the file, with the token, and prints the answer", async () => {
  answer = () => ({ status: 201, body: '{"id":"CH-1"}' });
  const cli = io();
  expect(await runChange(["create", "plan.yaml"], cli)).toBe(0);
  expect(asked).toEqual([{ method: "POST", url: "/api/v1/changes", authorization: "Bearer clr_secret", body: "text of plan.yaml" }]);
  expect(JSON.parse(cli.said.out)).toEqual({ id: "CH-1" });
});

test("show and act ask for what they name, hostile names quoted", async () => {
  answer = () => ({ status: 200, body: '{"version":2}' });
  await runChange(["show", "../../x?y"], io());
  await runChange(["act", "CH-1", "pause", '{"reason":"r"}'], io());
  await runChange(["act", "CH-1", "pause"], io());
  expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
    ["GET", "/api/v1/changes/..%2F..%2Fx%3Fy", ""],
    ["POST", "/api/v1/changes/CH-1/actions/pause", '{"reason":"r"}'],
    ["POST", "/api/v1/changes/CH-1/actions/pause", "{}"],
  ]);
});

test.each([
  [409, 1],
  [403, 1],
  [422, 2],
  [404, 2],
  [500, 2],
])("a refusal of status %i ends with %i and says why", async (status, exit) => {
  answer = () => ({ status, body: '{"title":"Closed","detail":"1 check unresolved on gpu014","places":["line 3: x"]}' });
  const cli = io();
  expect(await runChange(["act", "CH-1", "start"], cli)).toBe(exit);
  expect(cli.said.err).toBe("Closed: 1 check unresolved on gpu014\n  line 3: x\n");
});

test.each([
  ["no token", { CLEARANCE_TOKEN: undefined }, "CLEARANCE_TOKEN is not set"],
  ["a token with a line end", { CLEARANCE_TOKEN: "a\nb" }, "no token has"],
  ["an address that is none", { CLEARANCE_URL: "nowhere" }, "not an http address"],
  ["nobody there", { CLEARANCE_URL: "http://127.0.0.1:1" }, "cannot be reached"],
])("%s is one clear sentence", async (_what, env, says) => {
  const cli = io(env);
  expect(await runChange(["show", "CH-1"], cli)).toBe(2);
  expect(cli.said.err).toContain(says);
  expect(cli.said.err).not.toContain("clr_secret");
});

test("an answer that is not JSON, a missing file and a wrong line are told", async () => {
  answer = () => ({ status: 200, body: "<html>" });
  const cli = io();
  expect(await runChange(["show", "CH-1"], cli)).toBe(2);
  expect(cli.said.err).toContain("is this Clearance?");
  expect(await runChange(["create", "gone"], cli)).toBe(2);
  expect(cli.said.err).toContain("ENOENT gone");
  expect(await runChange(["act", "CH-1"], cli)).toBe(2);
  expect(cli.said.err).toContain("usage:");
});

test("audit verify without a name verifies the site's chain and every change's; one broken chain is exit 1", async () => {
  answer = ({ url }) => {
    if (url === "/api/v1/changes") return { status: 200, body: '{"changes":[{"id":"CH-1"},{"id":"CH-2"}]}' };
    return { status: 200, body: JSON.stringify({ intact: !url.includes("CH-2") }) };
  };
  const cli = io();
  expect(await runAudit([], cli)).toBe(1);
  expect(JSON.parse(cli.said.out)).toMatchObject({
    chains: [{ chain: "site" }, { chain: "CH-1" }, { chain: "CH-2", verdict: { intact: false } }],
  });
  expect(await runAudit(["CH-1"], io())).toBe(0);
});

test("an answer that does not say whether the chain is intact is never a pass", async () => {
  answer = () => ({ status: 200, body: "{}" });
  expect(await runAudit(["CH-1"], io())).toBe(2);
  answer = () => ({ status: 500, body: "{}" });
  expect(await runAudit(["CH-1"], io())).toBe(2);
});

test("nothing that a server says steers the terminal, and an answer without end is given up", async () => {
  const detail = "gpu003 is drained by somebody else: \u001b]0;owned\u0007\u009b2J\u202eMMID dab";
  answer = () => ({ status: 409, body: JSON.stringify({ title: "Closed", detail, places: [`reason\u001b[2J: ${detail}`] }) });
  const acted = io();
  expect(await runChange(["act", "CH-1", "pause"], acted)).toBe(1);
  expect(acted.said.err).toContain("gpu003 is drained by somebody else");
  const verified = io();
  expect(await runAudit(["CH-1\u001b[2J"], verified)).toBe(2);
  for (const said of [acted.said.err, verified.said.err])
    expect(said).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  const endless = new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(8 * 1024 * 1024)) });
  const given = io();
  expect(await runChange(["show", "CH-1"], given, () => Promise.resolve(new Response(endless)))).toBe(2);
  expect(given.said.err).toMatch(/is too long/);
});
