/** The little that the simulator's three HTTP servers share: limited bodies, plain answers, listening, stopping. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

const MAX_BODY = 8 * 1024 * 1024;

export type Answer = { readonly status: number; readonly statusText?: string; readonly type: string; readonly body: string };
export type Question = { readonly method: string; readonly url: URL; readonly headers: IncomingMessage["headers"]; readonly body: string };

export const jsonAnswer = (status: number, body: unknown): Answer => ({ status, type: "application/json", body: JSON.stringify(body) });

export function serveHttp(answer: (question: Question) => Promise<Answer>): Server {
  return createServer((request, response) => {
    void respond(request, response, answer).catch((cause: unknown) => {
      if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
      response.end(`simulator: ${cause instanceof Error ? cause.message : String(cause)}\n`);
    });
  });
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: (question: Question) => Promise<Answer>): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413, { "content-type": "text/plain", connection: "close" });
    response.end("body too large\n");
    return;
  }
  const url = URL.canParse(request.url ?? "/", "http://127.0.0.1")
    ? new URL(request.url ?? "/", "http://127.0.0.1")
    : new URL("http://127.0.0.1/");
  const { status, statusText, type, body: text } = await answer({ method: request.method ?? "GET", url, headers: request.headers, body });
  response.writeHead(status, statusText, { "content-type": type, "content-length": Buffer.byteLength(text) });
  response.end(text);
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length; // no encoding was set, so chunks are buffers
    if (size > MAX_BODY) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Rejects with the port's number in the text when it is taken. */
export function listen(server: Server | import("node:net").Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (cause: NodeJS.ErrnoException): void =>
      reject(
        new Error(cause.code === "EADDRINUSE" ? `port ${port} on 127.0.0.1 is taken` : `cannot listen on port ${port}: ${cause.message}`, {
          cause,
        }),
      );
    server.once("error", refuse);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", refuse);
      resolve();
    });
  });
}

export function stopHttp(server: Server): void {
  server.close();
  server.closeAllConnections();
}

export const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
