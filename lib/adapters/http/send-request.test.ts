import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sendRequest, withoutSecrets } from "./send-request";

let server: Server;
let base = "";
const seen: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (request.url === "/hang") return;
    if (request.url === "/drip") {
      response.writeHead(200);
      response.write("first bytes");
      return;
    }
    if (request.url === "/away") return void response.writeHead(302, { location: `${base}/stolen` }).end();
    if (request.url === "/big") return void response.end("x".repeat(2000));
    if (request.url === "/cut") {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      return void setImmediate(() => response.destroy());
    }
    response.writeHead(503, { "content-type": "text/plain" }).end("busy");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("one exchange over HTTP", () => {
  it("hands back any status with its body", async () => {
    const answer = await sendRequest({ url: `${base}/busy` });
    expect(answer).toMatchObject({ ok: true, value: { status: 503, contentType: "text/plain" } });
    if (answer.ok) expect(Buffer.from(answer.value.bytes).toString()).toBe("busy");
  });

  it("does not follow a redirect, which could carry the token elsewhere", async () => {
    const answer = await sendRequest({ url: `${base}/away`, headers: { authorization: "Bearer s3cret" } });
    expect(answer).toMatchObject({ ok: false, error: { code: "refused" } });
    expect(seen).not.toContain("GET /stolen");
  });

  it.each(["/hang", "/drip"])("a deadline covers the whole answer: %s", async (path) => {
    const answer = await sendRequest({ url: base + path, timeoutMs: 150 });
    expect(answer).toMatchObject({ ok: false, error: { code: "timed_out" } });
  });

  it("refuses an answer over the limit instead of cutting it", async () => {
    expect(await sendRequest({ url: `${base}/big`, maxBytes: 1999 })).toMatchObject({ ok: false, error: { code: "unreadable" } });
    expect(await sendRequest({ url: `${base}/big`, maxBytes: 2000 })).toMatchObject({ ok: true });
  });

  it("an answer that breaks off is unreachable, never a short answer", async () => {
    expect(await sendRequest({ url: `${base}/cut` })).toMatchObject({ ok: false, error: { code: "unreachable" } });
  });

  it("names the address without user, password and query", async () => {
    const answer = await sendRequest({ url: "http://127.0.0.1:1/x?token=s3cret", headers: { authorization: "s3cret" } });
    expect(answer).toMatchObject({ ok: false, error: { code: "unreachable" } });
    expect(JSON.stringify(answer)).not.toContain("s3cret");
    expect(withoutSecrets("https://me:pw@host:99/a/b?k=v#f")).toBe("https://host:99/a/b");
    expect(withoutSecrets("not an address")).toBe("an address that cannot be read");
  });
});
