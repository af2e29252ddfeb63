import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { prometheusMetrics } from "./prometheus-metrics";

let server: Server;
let url = "";
let answer: { status: number; body: string };
let headers: Record<string, unknown> = {};

beforeEach(async () => {
  server = createServer((request, response) => {
    headers = request.headers;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const GOOD = '{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1,"1"]}]}}';

describe("answers of a metrics store", () => {
  it.each([
    ["an error body with its words", 400, '{"status":"error","errorType":"bad_data","error":"parse error"}', "refused"],
    ["its own timeout", 503, '{"status":"error","errorType":"timeout","error":"query timed out"}', "timed_out"],
    ["an error status with data beside it", 422, GOOD, "refused"],
    ["a gateway's page", 502, "<html>bad gateway</html>", "unreachable"],
    ["a wrong path", 404, "404 page not found", "refused"],
    ["a refusal", 401, "", "denied"],
    ["an empty answer", 200, "", "unreadable"],
    ["half an answer", 200, GOOD.slice(0, -5), "unreadable"],
    ["another JSON", 200, "{}", "unreadable"],
  ])("R2.3: %s is an error, never data", async (_title, status, body, code) => {
    answer = { status, body };
    expect(await prometheusMetrics({ url }).instant("up")).toMatchObject({ ok: false, error: { code } });
  });

  it("R2.3: a warned answer keeps its warnings for whoever judges", async () => {
    answer = { status: 200, body: `${GOOD.slice(0, -1)},"warnings":["store missing"]}` };
    expect(await prometheusMetrics({ url }).instant("up")).toMatchObject({ ok: true, value: { warnings: ["store missing"] } });
  });

  it("headers go along and stay out of errors and records", async () => {
    const metrics = prometheusMetrics({ url, headers: () => ({ authorization: "Bearer s3cret" }) });
    answer = { status: 200, body: GOOD };
    const good = await metrics.instant("up");
    expect(headers["authorization"]).toBe("Bearer s3cret");
    answer = { status: 403, body: "" };
    expect(JSON.stringify([good.ok && good.value.request, await metrics.instant("up")])).not.toContain("s3cret");
  });

  it("an answer to ping without a version is not a metrics store's", async () => {
    answer = { status: 200, body: "<html>hello</html>" };
    expect(await prometheusMetrics({ url }).ping()).toMatchObject({ ok: false, error: { code: "unreadable" } });
  });
});
