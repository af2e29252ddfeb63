/** Starts and stops a whole simulated data centre in this process. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { join, resolve } from "node:path";

import { createControl } from "./control";
import { openDataCentre } from "./data-centre";
import { buildDirectory, slurmToken, writeDirectory, type Directory } from "./directory";
import { listen, stopHttp } from "./http-exchange";
import { createPrometheus } from "./metrics/prometheus";
import { createScrapes } from "./metrics/scrapes";
import { openPorts } from "./ports";
import { openClock } from "./shown-clock";
import { createSlurmRest } from "./slurm/rest";
import { createJobRunner } from "./ssh/job-runner";
import { createNodeFiles } from "./ssh/node-files";
import { killProcesses } from "./ssh/processes";
import { HEAD, sitePaths } from "./ssh/site-paths";
import { openSpool } from "./ssh/spool";
import { openSshKeys } from "./ssh/ssh-keys";
import { openSshSite } from "./ssh/ssh-site";
import { installTools } from "./ssh/tools";
import { DEFAULT_WORLD } from "./world/default-world";
import { expandHosts } from "./world/hostlist";
import { WorldDescription } from "./world/description";

export type SimulatorOptions = {
  readonly stateDir: string;
  /** What the data centre is made of, at its first start; a later start must give the same or nothing. */
  readonly world?: unknown;
  /** The control's port; the others follow it. Default: free ones, kept. */
  readonly port?: number;
  /** A database with the row `clock`; without it the simulator keeps its own clock, with this factor. */
  readonly clockUrl?: string;
  readonly factor?: number;
};

export type Simulator = { readonly directory: Directory; readonly controlUrl: string; stop: () => Promise<void> };

/** Rejects with one sentence when the world is not valid, differs from the kept one, or a port is taken. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const stateDir = resolve(options.stateDir);
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  const { description, seed } = openWorld(stateDir, options.world);
  const ports = await openPorts(stateDir, portNames(description), options.port);
  const clock = await openClock({ stateDir, url: options.clockUrl, factor: options.factor });
  const paths = sitePaths(stateDir);
  installTools(paths);
  const keys = openSshKeys(stateDir);
  const centre = openDataCentre({ stateDir, description, clock, seed });
  const closers: (() => void)[] = [() => centre.stop()];
  const stop = async (): Promise<void> => {
    for (const close of closers.reverse()) close();
    closers.length = 0;
    killProcesses(`SIM_RUN=${paths.run}`);
    await clock.close();
  };
  try {
    const serve = async (server: Server, name: string): Promise<void> => {
      await listen(server, ports.of(name));
      closers.push(() => stopHttp(server));
    };
    const writeFiles = createNodeFiles(paths, clock.factor, clock.now);
    writeFiles(centre.settle());
    centre.watch(writeFiles);
    const scrapes = createScrapes();
    scrapes.take(centre.settle(), clock.now());
    centre.watch((state) => scrapes.take(state, clock.now()));
    const directory = (): Directory => buildDirectory(centre.settle(), { ports, keys, paths });
    await serve(createControl(centre, directory), "control");
    await serve(createPrometheus(centre, scrapes), "prometheus");
    for (const { name } of description.clusters) await serve(createSlurmRest(centre, name, slurmToken(seed, name)), `rest/${name}`);
    const site = await openSshSite({ centre, paths, keys, portOf: (cluster, node) => ports.of(`ssh/${cluster}/${node}`) });
    closers.push(() => site.stop());
    const spool = openSpool(centre, paths);
    closers.push(() => spool.stop());
    centre.watch(createJobRunner(centre, paths));
    const sweep = setInterval(spool.sweep, 100);
    closers.push(() => clearInterval(sweep));
    let published = Object.keys(centre.settle().nodes).join();
    const publish = (): void => (keys.save(), writeDirectory(stateDir, directory()));
    publish();
    centre.watch((state) => {
      const names = Object.keys(state.nodes).join();
      if (names === published) return;
      published = names;
      publish();
    });
    return { directory: directory(), controlUrl: directory().controlUrl, stop };
  } catch (cause) {
    await stop();
    throw cause;
  }
}

/** The world of the folder's first start; the seed makes its tokens and boot ids its own. */
function openWorld(stateDir: string, given: unknown): { description: WorldDescription; seed: string } {
  const file = join(stateDir, "world.json");
  const parsed = given === undefined ? null : WorldDescription.safeParse(given);
  if (parsed?.success === false)
    throw new Error(
      `the world's description is not valid: ${parsed.error.issues.map((i) => `${i.path.join(".")}: ${i.message}`).join("; ")}`,
    );
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, "utf8")) as { description: WorldDescription; seed: string }; // written below
    if (parsed !== null && JSON.stringify(parsed.data) !== JSON.stringify(kept.description)) {
      throw new Error(`${stateDir} holds another data centre than the given description: use another folder, or remove this one`);
    }
    return kept;
  }
  const world = { description: parsed?.data ?? DEFAULT_WORLD, seed: randomUUID() };
  writeFileSync(file, JSON.stringify(world), { mode: 0o600 });
  return world;
}

function portNames(description: WorldDescription): string[] {
  const machines = description.clusters.flatMap((cluster) => [
    `ssh/${cluster.name}/${HEAD}`,
    ...cluster.nodes.flatMap((group) => (expandHosts(group.names) ?? []).map((node) => `ssh/${cluster.name}/${node}`)),
  ]);
  return ["control", "prometheus", ...description.clusters.map((c) => `rest/${c.name}`), ...machines];
}
