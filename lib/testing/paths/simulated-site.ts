import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { expect } from "vitest";
import { demoConfigFile, writeDemoConfig } from "@/lib/cli/start/demo-config";
import { readEnv } from "@/lib/env";
import type { Deps } from "@/lib/services/deps";
import { startSimulator } from "@/lib/simulator/simulator";
import { freshDatabase } from "@/lib/testing/test-database";
import { wire } from "@/lib/wiring";
import { clustersSeen } from "@/lib/demo/clusters-seen";
import { serviceCrew, type Crew } from "@/lib/demo/crew";
import { driverPlan } from "@/lib/demo/driver-plan";
import { recordPlan } from "@/lib/demo/record-plan";

const ROOT = resolve(import.meta.dirname, "../../..");

type Deed = {
  readonly cluster: string | null;
  readonly node: string | null;
  readonly what: string;
  readonly detail: string;
  readonly key?: string;
  readonly refused?: string;
};
type SimulatedNode = {
  readonly cluster: string;
  readonly name: string;
  readonly state: string;
  readonly flags: readonly string[];
  readonly reason: string | null;
  readonly driver: { readonly installed: string; readonly running: string };
  readonly jobs: readonly (string | number)[];
  readonly reservation: string | null;
};
type WorldView = {
  readonly nodes: readonly SimulatedNode[];
  readonly reservations: readonly object[];
  readonly jobs: readonly { readonly id: string | number; readonly user: string; readonly name: string; readonly state: string }[];
  readonly journal: readonly Deed[];
};

/** The product without its web server on a simulated data centre of its own: the crew in this process, the worker a real one. */
export type SimulatedSite = {
  readonly deps: Deps;
  readonly crew: Crew;
  /** A fault, as the simulator's README lists them; `clear: true` ends it. */
  readonly fault: (fault: Readonly<Record<string, unknown>> & { readonly fault: string; readonly cluster: string }) => Promise<void>;
  readonly world: () => Promise<WorldView>;
  readonly sql: <R extends pg.QueryResultRow>(text: string, values?: readonly unknown[]) => Promise<R[]>;
  /** What the worker has said so far. */
  readonly said: () => string;
  readonly stop: () => Promise<void>;
};

type Options = {
  readonly world: unknown;
  /** Shown seconds per real second. */
  readonly factor: number;
};

export async function startSimulatedSite({ world, factor }: Options): Promise<SimulatedSite> {
  const folder = mkdtempSync(join(tmpdir(), "clearance-sim-"));
  const database = await freshDatabase();
  const variables: Record<string, string> = {
    DATABASE_URL: database.url,
    CLEARANCE_DATA: folder,
    CLEARANCE_CONFIG: demoConfigFile(folder),
    CLEARANCE_DEMO: "1",
    CLEARANCE_SPEED: String(factor),
    CLEARANCE_AUTH_SECRET: "a secret of the simulated site only",
    CLEARANCE_LOG: "warn",
  };
  const sql = new pg.Pool({ connectionString: database.url, max: 2 });
  await sql.query(
    "update clock set factor = $1, shown_epoch = extract(epoch from clearance_now()), real_epoch = extract(epoch from clock_timestamp())",
    [factor],
  );
  const simulator = await startSimulator({ stateDir: join(folder, "simulator"), world, clockUrl: database.url });
  writeDemoConfig(folder, simulator.directory);
  seed(variables);
  const worker = startWorker(variables, join(folder, "worker.log"));
  const wired = await wire(readEnv(variables), "cli");
  const said = (): string => readFileSync(join(folder, "worker.log"), "utf8");
  await clustersSeen(wired.deps, Object.keys(simulator.directory.clusters), said);
  const control = async (path: string, body?: object): Promise<unknown> => {
    const init = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`${simulator.controlUrl}/_control/${path}`, init);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} ${JSON.stringify(body)}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    deps: wired.deps,
    crew: await serviceCrew(wired.deps),
    fault: async (fault) => void (await control("faults", fault)),
    world: async () => (await control("state")) as WorldView,
    sql: async <R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => (await sql.query<R>(text, [...values])).rows,
    said,
    stop: async () => {
      await ended(worker);
      await wired.close();
      await simulator.stop();
      await sql.end();
      await database.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The operator's plan for a rehearsal on the disposable cluster. Gives the change's id. */
export async function recordRehearsal({ crew, deps }: Pick<SimulatedSite, "crew" | "deps">, nodes: string): Promise<string> {
  const now = await deps.clock.now();
  const plan = { cluster: "sim-test", nodes, from: "570.133.20", to: "570.172.08", jobs: [], canaries: "{perClass: 0}", now };
  return await recordPlan(crew["AK"]!, driverPlan(plan));
}

/** Every node of the cluster runs this driver, loaded and installed, and works; nothing of ours is left on the site. */
export async function expectAllOn(site: Pick<SimulatedSite, "world">, cluster: string, driver: string): Promise<void> {
  const { nodes, reservations } = await site.world();
  const own = nodes.filter((node) => node.cluster === cluster);
  expect(own.length).toBeGreaterThan(0);
  const asItShould = { state: "IDLE", flags: [], driver: { installed: driver, running: driver }, reservation: null, reason: null };
  for (const node of own) expect(node).toMatchObject(asItShould);
  expect(reservations).toEqual([]);
}

function seed(variables: Readonly<Record<string, string>>): void {
  const env = { ...process.env, ...variables, NODE_OPTIONS: "" };
  const { status, stderr } = spawnSync(process.execPath, ["--import", "tsx", "prisma/seed.ts"], { cwd: ROOT, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`the people of the demo could not be made: ${stderr}`);
}

function startWorker(variables: Readonly<Record<string, string>>, log: string): ChildProcess {
  const file = openSync(log, "a");
  const env = { ...process.env, ...variables, NODE_ENV: "production" as const, NODE_OPTIONS: "" };
  return spawn(process.execPath, ["--import", "tsx", "lib/worker/main.ts"], { cwd: ROOT, env, stdio: ["ignore", file, file] });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise<void>((done) => child.once("exit", () => done()));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 15_000);
  await end;
  clearTimeout(late);
}
