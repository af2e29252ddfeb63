import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { BadEnvironment, readConfigFile, type Env } from "@/lib/env";

import { build, isBuilt, sourceHash } from "./build";
import { CannotStart, sentenceOf } from "./cannot-start";
import { lastWords, startNode, stopChild } from "./child-process";
import { openDatabase } from "./database";
import { demoConfigFile } from "./demo-config";
import { claimDataDir } from "./one-start";
import { requireFreePort } from "./ports";
import { Parts } from "./parts";
import { progress, type Progress } from "./progress";
import { runScript } from "./run-script";
import { requireSiteFiles } from "./site-files";
import { keptSecret, readSettings, type Settings } from "./settings";
import { startSimulator } from "./simulator";
import { supervise, type Supervised } from "./supervise";

const ROOT = resolve(import.meta.dirname, "../../..");
const WEB_WITHIN_MS = 60_000;

/** `npm start`: starts every part, keeps them running, stops them in order. Resolves to the exit code when all is stopped. */
export async function runStart(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const parts = new Parts();
  const end = endOf(process);
  const building = new AbortController();
  try {
    const settings = readSettings(argv, env, ROOT);
    await Promise.race([startAll({ settings, outer: env, parts, end, signal: building.signal }), end.asked]);
    return await end.asked;
  } catch (cause) {
    const said = sentenceOf(cause);
    if (said === null) throw cause;
    console.error(said);
    return 1;
  } finally {
    building.abort();
    await parts.stopAll();
  }
}

type End = { readonly asked: Promise<number>; readonly because: (text: string) => void };

/** Ends by signal (exit 0) or because a part cannot be kept (one sentence, exit 1). */
function endOf(signals: NodeJS.Process): End {
  let answer: (code: number) => void = () => undefined;
  const asked = new Promise<number>((done) => (answer = done));
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    signals.on(name, () => {
      console.log("Stopping ...");
      answer(0);
    });
  }
  return {
    asked,
    because: (text) => {
      console.error(text);
      answer(1);
    },
  };
}

type Run = {
  readonly settings: Settings;
  readonly outer: NodeJS.ProcessEnv;
  readonly parts: Parts;
  readonly end: End;
  /** Aborted when the start ends, so that a build does not outlive it. */
  readonly signal: AbortSignal;
};

async function startAll(run: Run): Promise<void> {
  const { settings, outer, parts } = run;
  const { dataDir, host, port } = settings;
  const shown = progress((line) => console.log(line));
  const oidcIssuer = settings.configFile === null ? undefined : checkConfig(settings.configFile, outer).auth.oidc?.issuer;
  await parts.add("claim", claimDataDir(dataDir));
  await requireFreePort(host, port);
  console.log(`Clearance, data in ${dataDir}`);
  // The build and the database do not need each other, nor do the web server and what it will ask.
  const [env] = await Promise.all([openRecord(run, shown), ensureBuilt(run, shown)]);
  const web = startWeb(run, { ...env, CLEARANCE_OIDC_ISSUER: oidcIssuer });
  await parts.add("web", () => web.stop(8_000));
  await startBehind(run, env, shown);
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  await answersAt(`${address}/sign-in`, web);
  shown.say("web", settings.dev ? "ready, reloads when files change" : "ready");
  console.log(`\nReady after ${shown.seconds()} s: ${address}`);
  console.log(howToSignIn(settings));
  if (settings.demoContent) await fillDemo(run, env);
}

/** In the background: what a newcomer finds in the demo. It is an extra, so that its end ends nothing. */
async function fillDemo({ settings, parts }: Run, env: NodeJS.ProcessEnv): Promise<void> {
  const argv = ["--import", "tsx", "lib/demo/main.ts"];
  const content = startNode({ name: "demo content", argv, env, cwd: settings.root, logFile: logFile(settings, "demo") });
  await parts.add("demo content", () => stopChild(content, 5_000));
  void content.ended.then(({ code }) => {
    if (code !== 0 && code !== null)
      console.log(`The demo's content is not complete: ${lastWords(logFile(settings, "demo"))} (logs/demo.log).`);
  });
}

function howToSignIn({ configFile, dataDir }: Settings): string {
  if (configFile !== null) return "Sign in with your account. Stop with Ctrl-C.";
  return `Sign in as one of the demo people with one click; their passwords and API tokens are in ${join(dataDir, "demo-people.json")}. Stop with Ctrl-C.`;
}

function checkConfig(file: string, env: NodeJS.ProcessEnv): Env["config"] {
  try {
    const config = readConfigFile(file, env);
    requireSiteFiles(config);
    return config;
  } catch (cause) {
    if (cause instanceof BadEnvironment) throw new CannotStart(cause.message, { cause });
    throw cause;
  }
}

const toldTo = (end: End): { onRestart: (text: string) => void; onGivenUp: (text: string) => void } => ({
  onRestart: (text) => console.log(text),
  onGivenUp: end.because,
});

const logFile = ({ dataDir }: Settings, name: string): string => join(dataDir, "logs", `${name}.log`);

/** Database and tables. Returns the surroundings of every child. */
async function openRecord({ settings, outer, parts, end }: Run, shown: Progress): Promise<NodeJS.ProcessEnv> {
  const database = await openDatabase(settings.databaseUrl, settings.dataDir, (text) => console.log(text));
  await parts.add("database", database.stop);
  database.lost.then(end.because, end.because);
  shown.say("database", settings.databaseUrl === null ? "embedded, ready" : "given by DATABASE_URL");
  const env = childEnv(settings, outer, database.url);
  await runScript({ name: "migrations", file: "prisma/apply.ts", root: settings.root, env, logFile: logFile(settings, "migrations") });
  shown.say("tables", "up to date");
  return env;
}

function startWeb({ settings, end }: Run, env: NodeJS.ProcessEnv): Supervised {
  const { root, host, port, dev } = settings;
  const argv = [join(root, "node_modules/next/dist/bin/next"), dev ? "dev" : "start", "-H", host, "-p", String(port)];
  return supervise({ name: "web server", argv, env, cwd: root, logFile: logFile(settings, "web") }, toldTo(end));
}

/** Simulated data centre, people, worker. */
async function startBehind({ settings, parts, end }: Run, env: NodeJS.ProcessEnv, shown: Progress): Promise<void> {
  const { root, dataDir } = settings;
  if (settings.configFile === null) {
    const simulator = await startSimulator({ root, dataDir, databaseUrl: env.DATABASE_URL ?? "", env }, toldTo(end));
    await parts.add("simulator", () => simulator.stop(5_000));
    shown.say("simulator", "a data centre on loopback, ready");
  }
  await runScript({ name: "people", file: "prisma/seed.ts", root, env, logFile: logFile(settings, "seed") });
  shown.say("people", "known");
  const argv = ["--import", "tsx", "lib/worker/main.ts"];
  const worker = supervise({ name: "worker", argv, env, cwd: root, logFile: logFile(settings, "worker") }, toldTo(end));
  await parts.add("worker", () => worker.stop(15_000));
  shown.say("worker", "started");
}

function childEnv(settings: Settings, outer: NodeJS.ProcessEnv, databaseUrl: string): NodeJS.ProcessEnv {
  const secret = outer.CLEARANCE_AUTH_SECRET || keptSecret(settings.dataDir, "auth-secret", () => randomBytes(48).toString("base64url"));
  return {
    ...outer,
    NODE_ENV: settings.dev ? "development" : "production",
    DATABASE_URL: databaseUrl,
    PORT: String(settings.port),
    CLEARANCE_DATA: settings.dataDir,
    CLEARANCE_DEMO: settings.configFile === null ? "1" : "0",
    CLEARANCE_AUTH_SECRET: secret,
    CLEARANCE_CONFIG: settings.configFile ?? demoConfigFile(settings.dataDir),
    // Without an address of its own the console answers under the one it was asked by.
    ...(outer.NEXTAUTH_URL ? {} : { AUTH_TRUST_HOST: "1" }),
    NEXT_TELEMETRY_DISABLED: "1",
  };
}

async function ensureBuilt({ settings, outer, signal }: Run, shown: Progress): Promise<void> {
  if (settings.dev) return;
  const { root } = settings;
  const hash = sourceHash(root);
  if (isBuilt(root, hash)) return;
  console.log("  pages      building them, as always after a change; about half a minute ...");
  const env = { ...outer, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  await build({ root, hash, logFile: logFile(settings, "build"), signal, env });
  shown.say("pages", "built");
}

async function answersAt(url: string, web: Supervised): Promise<void> {
  for (const deadline = performance.now() + WEB_WITHIN_MS; performance.now() < deadline; await sleep(100)) {
    const status = await fetch(url, { signal: AbortSignal.timeout(20_000) }).then(
      (answer) => answer.status,
      () => null, // not listening yet
    );
    if (status === 200) return;
    if (status !== null && status >= 500)
      throw new CannotStart(`The web server (process ${web.pid()}) answers with status ${status}; see logs/web.log in the data folder.`);
  }
  throw new CannotStart("The web server did not answer within a minute; see logs/web.log in the data folder.");
}
