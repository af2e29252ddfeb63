import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { CannotStart } from "./cannot-start";
import { lastWords, type ChildSpec } from "./child-process";
import { Directory, writeDemoConfig } from "./demo-config";
import { supervise, type Supervised } from "./supervise";

const READY_WITHIN_MS = 60_000;

type Told = { readonly onRestart: (text: string) => void; readonly onGivenUp: (text: string) => void };

/** Starts the simulated data centre and writes the configuration that points at it. */
export async function startSimulator(
  settings: { readonly root: string; readonly dataDir: string; readonly databaseUrl: string; readonly env: NodeJS.ProcessEnv },
  told: Told,
): Promise<Supervised> {
  const state = join(settings.dataDir, "simulator");
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const ready = { controlUrl: "" };
  const spec: ChildSpec = {
    name: "simulator",
    argv: ["--import", "tsx", "lib/simulator/main.ts", "--state", state],
    // Not an argument: everybody on the machine reads those, and the address holds the password.
    env: { ...settings.env, SIMULATOR_CLOCK_URL: settings.databaseUrl },
    cwd: settings.root,
    logFile: join(settings.dataDir, "logs", "simulator.log"),
    onLine: (line) => {
      const found = /^\{.*"ready":true.*\}$/.test(line) ? /"controlUrl":"([^"]+)"/.exec(line)?.[1] : undefined;
      if (found !== undefined) ready.controlUrl = found;
    },
  };
  let failed: string | null = null;
  const part = supervise(spec, {
    // Before it was ready once, a second try would meet the same fault.
    onRestart: (text) =>
      ready.controlUrl === ""
        ? (failed = `The simulated data centre could not be started: ${lastWords(spec.logFile)}`)
        : told.onRestart(text),
    onGivenUp: told.onGivenUp,
  });
  for (const deadline = performance.now() + READY_WITHIN_MS; ready.controlUrl === ""; await sleep(50)) {
    if (failed === null && performance.now() < deadline) continue;
    await part.stop(1000);
    throw new CannotStart(failed ?? `The simulated data centre did not get ready: ${lastWords(spec.logFile)} (log: ${spec.logFile})`);
  }
  writeDemoConfig(settings.dataDir, await directoryOf(ready.controlUrl, state));
  return part;
}

async function directoryOf(controlUrl: string, state: string): Promise<Directory> {
  const file = join(state, "directory.json");
  const text = existsSync(file) ? readFileSync(file, "utf8") : await (await fetch(new URL("/_control/directory", controlUrl))).text();
  const directory = Directory.safeParse(JSON.parse(text));
  if (directory.success) return directory.data;
  const [first] = directory.error.issues;
  throw new CannotStart(`The simulated data centre describes itself in an unknown form (${first?.path.join(".")}: ${first?.message}).`);
}
