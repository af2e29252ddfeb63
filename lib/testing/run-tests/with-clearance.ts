import { spawn } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { err, ok, type Result } from "@/lib/core/kernel/result";

const READY_WITHIN_MS = 300_000;

/** Starts Clearance as a person would, hands its address and data folder to `use`, and stops it by SIGTERM. */
export async function withClearance<T>(
  folder: string,
  env: NodeJS.ProcessEnv,
  use: (address: string, dataDir: string) => Promise<T>,
): Promise<Result<T, string>> {
  // The database has a user of its own, who must be able to enter.
  chmodSync(folder, 0o755);
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o755 });
  const port = await freePort();
  const child = spawn(process.execPath, ["lib/cli/start.mjs"], {
    env: { ...env, PORT: String(port), CLEARANCE_DATA: dataDir, CLEARANCE_CONFIG: "", DATABASE_URL: "", CLEARANCE_DEMO_CONTENT: "off" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  const ready = new Promise<boolean>((done) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      process.stdout.write(chunk);
      said = (said + chunk.toString("utf8")).slice(-10_000);
      if (said.includes("\nReady after")) done(true);
    });
    void ended.then(() => done(false));
    setTimeout(() => done(false), READY_WITHIN_MS).unref();
  });
  try {
    return (await ready) ? ok(await use(`http://127.0.0.1:${port}`, dataDir)) : err("Clearance did not start; see above");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

const freePort = (): Promise<number> =>
  new Promise((done, failed) => {
    const server = createServer();
    server.once("error", failed);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address !== null ? done(address.port) : failed(new Error("no port"))));
    });
  });
