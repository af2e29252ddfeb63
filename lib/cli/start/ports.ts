import { createServer } from "node:net";

import { CannotStart, codeOf } from "./cannot-start";

/** Throws `CannotStart` when nobody may listen on `port`. */
export async function requireFreePort(host: string, port: number): Promise<void> {
  const refused = await listenOnce(host, port);
  if (refused.code === "EADDRINUSE") {
    throw new CannotStart(`Port ${port} is taken by another program. Stop it, or choose another port: PORT=${port + 1} npm start.`);
  }
  if (refused.code !== null)
    throw new CannotStart(`Port ${port} on ${host} cannot be opened (${refused.code}). Choose another with PORT or HOST.`);
}

/** `wanted` when it is free, else any free port of loopback. */
export async function freePort(wanted: number | null): Promise<number> {
  if (wanted !== null && (await listenOnce("127.0.0.1", wanted)).code === null) return wanted;
  const { port, code } = await listenOnce("127.0.0.1", 0);
  if (code !== null) throw new CannotStart(`No port can be opened on 127.0.0.1 (${code}).`);
  return port;
}

function listenOnce(host: string, port: number): Promise<{ readonly port: number; readonly code: string | null }> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (cause) => done({ port, code: codeOf(cause) ?? "error" }));
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => done({ port: typeof address === "object" && address !== null ? address.port : port, code: null }));
    });
  });
}
