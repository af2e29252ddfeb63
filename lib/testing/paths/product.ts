import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, chmodSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { apiClient } from "./api-client";
import type { Crew } from "@/lib/demo/crew";

const ROOT = resolve(import.meta.dirname, "../../..");
/** The first start of a run may have to build the pages. */
const READY_WITHIN_MS = 300_000;

export type Product = {
  readonly url: string;
  readonly dataDir: string;
  /** By initials. */
  readonly crew: Crew;
  readonly tokens: Readonly<Record<string, string>>;
  /** What it has printed so far. */
  readonly said: () => string;
  /** SIGTERM to the start script; resolves with its exit code when all its parts have ended. */
  readonly stop: () => Promise<number | null>;
};

type Options = {
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  readonly tokens?: Readonly<Record<string, string>>;
};

/** The whole product as `npm start` brings it up, in a data folder of its own and on a free port. */
export async function startProduct(options: Options = {}): Promise<Product> {
  const made = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "clearance-"));
  chmodSync(dataDir, 0o755);
  const port = await freePort();
  const env = { ...process.env, ...options.env, PORT: String(port), CLEARANCE_DATA: dataDir, NODE_ENV: "production" as const };
  const child = spawn(process.execPath, ["lib/cli/start.mjs"], { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = collect(child);
  const ended = new Promise<number | null>((done) => child.once("exit", (code) => done(code)));
  await readyOrEnded(child, said, ended);
  const tokens = options.tokens ?? demoTokens(dataDir);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    dataDir,
    tokens,
    crew: Object.fromEntries(Object.entries(tokens).map(([initials, token]) => [initials, apiClient(url, token)])),
    said,
    stop: async () => {
      child.kill("SIGTERM");
      const code = await ended;
      if (made) rmSync(dataDir, { recursive: true, force: true });
      return code;
    },
  };
}

function collect(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (text += part.toString("utf8")));
  return () => text;
}

async function readyOrEnded(child: ChildProcess, said: () => string, ended: Promise<number | null>): Promise<void> {
  const ready = new Promise<"ready">((done) => {
    const look = () => {
      if (/^Ready after /m.test(said())) done("ready");
    };
    child.stdout?.on("data", look);
    look();
  });
  const late = new Promise<"late">((done) => setTimeout(() => done("late"), READY_WITHIN_MS).unref());
  const first = await Promise.race([ready, late, ended.then(() => "ended" as const)]);
  if (first === "ready") return;
  child.kill("SIGTERM");
  throw new Error(`the product did not start (${first}):\n${said()}`);
}

function demoTokens(dataDir: string): Record<string, string> {
  const people = JSON.parse(readFileSync(join(dataDir, "demo-people.json"), "utf8")) as { id: string; token: string }[];
  return Object.fromEntries(people.map(({ id, token }) => [id, token]));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no free port on loopback");
  return address.port;
}
