import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Notice } from "@/lib/ports/notifier";
import { webhookNotifier } from "./webhook-notifier";

const NOTICE: Notice = {
  id: "7",
  dedupKey: "change-1/batch-failed/2",
  urgency: "page",
  changeId: "change-1",
  title: "Batch 2 failed",
  text: 'gpu002: "driver" is still 570.133.20',
  at: "2026-12-08T22:00:00.000Z",
};
let server: Server;
let url = "";
let status = 204;
const received: { body: string; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ body: Buffer.concat(chunks).toString(), headers: request.headers });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/s3cret`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe("one webhook", () => {
  it("posts the notice as JSON, with the configured headers", async () => {
    const sent = await webhookNotifier({ url: () => url, headers: () => ({ "x-token": "t" }) }).deliver(NOTICE);
    expect(sent).toEqual({ ok: true, value: undefined });
    expect(JSON.parse(received.at(-1)?.body ?? "")).toEqual(NOTICE);
    expect(received.at(-1)?.headers).toMatchObject({ "content-type": "application/json", "x-token": "t" });
  });

  it.each([
    [400, "refused"],
    [401, "denied"],
    [429, "unreachable"],
    [500, "unreachable"],
  ])("an answer of %i is not a delivery, and the address stays secret", async (answer, code) => {
    status = answer;
    const sent = await webhookNotifier({ url: () => url }).deliver(NOTICE);
    expect(sent).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(sent)).not.toContain("s3cret");
  });

  it("a receiver that is away is unreachable, without its path", async () => {
    const sent = await webhookNotifier({ url: () => "http://127.0.0.1:1/hooks/s3cret" }).deliver(NOTICE);
    expect(sent).toMatchObject({ ok: false, error: { code: "unreachable", because: expect.stringContaining("127.0.0.1:1") as string } });
    expect(JSON.stringify(sent)).not.toContain("s3cret");
  });
});
