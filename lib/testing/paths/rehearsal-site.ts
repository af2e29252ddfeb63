import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { parse, stringify } from "yaml";
import { demoConfigFile, writeDemoConfig } from "@/lib/cli/start/demo-config";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { readEnv } from "@/lib/env";
import { DEMO_PEOPLE } from "@/lib/server/demo-people";
import { startSimulator } from "@/lib/simulator/simulator";
import { freshDatabase } from "@/lib/testing/test-database";
import { setClock } from "@/lib/store/clock";
import { wire } from "@/lib/wiring";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan } from "@/lib/demo/driver-plan";
import { serviceCrew, type Crew } from "@/lib/demo/crew";
import { follow } from "@/lib/demo/follow";
import { startWorkerProcess, type WorkerProcess } from "./worker-process";
import { until } from "@/lib/demo/until";

const CLUSTER = "sim-test";
const NODES = "t[001-008]";

/** Shown time runs this much faster than real time, for the product as for the world. */
const SPEED = 10;
/** Eight nodes on two leaves; times are shown seconds. */
const WORLD = {
  steps: { bootS: 20, updateS: 10, diagS: 2, allReduceS: 2, epilogS: 0, scrapeS: 5, respondS: 0 },
  clusters: [
    {
      name: CLUSTER,
      slurmVersions: ["v0.0.38", "v0.0.40"],
      partitions: [{ name: "test", nodes: NODES, default: true }],
      nodes: [{ names: NODES, features: ["sku_h100"] }],
      leaves: [
        { name: "leaf01", nodes: "t[001-004]" },
        { name: "leaf02", nodes: "t[005-008]" },
      ],
    },
  ],
};

export type RehearsalSite = {
  readonly crew: Crew;
  readonly controlUrl: string;
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** One more worker, in a process of its own; it is ended with the site. */
  readonly worker: () => WorkerProcess;
  /** A rehearsal of all eight nodes, recorded; its id. */
  readonly begin: () => Promise<string>;
  /** The crew does what is next until `stop` says so, or the change has ended. */
  readonly walk: (id: string, stop?: (view: ChangeView) => boolean) => Promise<ChangeView>;
  readonly stop: () => Promise<void>;
};

type Database = { readonly url: string; drop(): Promise<void> };

/** A disposable cluster, a database and a crew, without a worker yet. */
export async function startRehearsalSite(database?: Database): Promise<RehearsalSite> {
  const folder = mkdtempSync(join(tmpdir(), "clearance-rehearsal-"));
  chmodSync(folder, 0o755);
  const here = database ?? (await freshDatabase());
  const pool = new pg.Pool({ connectionString: here.url, max: 2 });
  pool.on("error", () => undefined); // a database that is stopped by the test
  const sql: RehearsalSite["sql"] = async (text, values = []) => (await pool.query(text, [...values])).rows as Record<string, unknown>[];
  await setClock(pool, { factor: SPEED });
  const simulator = await startSimulator({ stateDir: join(folder, "simulator"), world: WORLD, clockUrl: here.url });
  writeDemoConfig(folder, simulator.directory);
  readOften(demoConfigFile(folder));
  const variables = {
    DATABASE_URL: here.url,
    CLEARANCE_DATA: folder,
    CLEARANCE_CONFIG: demoConfigFile(folder),
    CLEARANCE_AUTH_SECRET: "a secret of thirty-two characters or more",
    CLEARANCE_DEMO: "1",
    CLEARANCE_BEAT_MS: "500",
    CLEARANCE_SILENT_MS: "2000",
  };
  for (const { id, roles } of DEMO_PEOPLE)
    await sql("insert into people (id, name, email, roles) values ($1, $1, lower($1) || '@demo.invalid', $2::role[])", [id, roles]);
  const { deps, close } = await wire(readEnv(variables), "cli");
  const crew = await serviceCrew(deps);
  const workers: WorkerProcess[] = [];
  return {
    crew,
    controlUrl: simulator.controlUrl,
    sql,
    worker: () => {
      const started = startWorkerProcess(variables);
      workers.push(started);
      return started;
    },
    begin: () => begin(crew, sql),
    walk: (id, stop = () => false) =>
      follow(id, { crew, by: {}, inputs: CREW_INPUTS, timeoutMs: 420_000, stop: (view) => view.endedAt !== null || stop(view) }),
    stop: async () => {
      for (const worker of workers) await worker.kill("SIGKILL");
      await close();
      await pool.end();
      await simulator.stop();
      await here.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The steps of this world are over before the usual pause between two looks is. */
function readOften(file: string): void {
  const config = parse(readFileSync(file, "utf8")) as { clusters: object[] };
  writeFileSync(
    file,
    stringify({ clusters: config.clusters.map((cluster) => ({ ...cluster, policy: { pollMs: 2_000 } })) }, { lineWidth: 0 }),
  );
}

async function begin(crew: Crew, sql: RehearsalSite["sql"]): Promise<string> {
  await until("the inventory", async () => ((await sql("select 1 from node_leaves")).length === 8 ? true : null), { timeoutMs: 30_000 });
  const plan = driverPlan({
    cluster: CLUSTER,
    nodes: NODES,
    from: "570.133.20",
    to: "570.172.08",
    jobs: [],
    batchSize: 4,
    advance: "auto",
    delay: "0s",
    settle: "10s",
    now: new Date(),
    extra: "maxNodesPerLeaf: 2",
  });
  const made = await crew["AK"]?.post("/changes", plan);
  if (made?.status !== 201) throw new Error(`the plan was refused: ${JSON.stringify(made?.body)}`);
  return String(made.body["id"]);
}
