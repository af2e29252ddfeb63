/** The process itself: ready line, signals, crashes, and what a second start on the same folder finds. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Directory } from "./directory";
import { findProcesses } from "./ssh/processes";
import { control, run, SMALL_WORLD, stateOf, until, type TestSite } from "./test-site";

const ROOT = join(import.meta.dirname, "../..");
let folder: string;
let stateDir: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sim-"));
  stateDir = join(folder, "state");
  writeFileSync(join(folder, "world.json"), JSON.stringify(SMALL_WORLD));
});
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
  for (const pid of findProcesses(`SIM_RUN=${stateDir}/run`)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

type Outcome = { child: ChildProcess; site: TestSite };

async function start(...more: string[]): Promise<Outcome> {
  const args = ["--import", "tsx", "lib/simulator/main.ts", "--state", stateDir, "--world", join(folder, "world.json"), ...more];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  let [out, err] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  await until(async () => out.includes("\n") || child.exitCode !== null, "the ready line", 30_000);
  if (child.exitCode !== null) throw new Error(`exit ${child.exitCode}: ${err}`);
  expect(JSON.parse(out)).toMatchObject({ ready: true });
  const directory = JSON.parse(readFileSync(join(stateDir, "directory.json"), "utf8")) as Directory;
  const cluster = directory.clusters.lab;
  if (cluster === undefined) throw new Error("no cluster in the directory");
  const simulator = { directory, controlUrl: directory.controlUrl, stop: async () => {} };
  return { child, site: { simulator, stateDir, cluster, stop: async () => {} } };
}

const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once("exit", (code) => resolve(code)));

describe("a data centre over restarts", () => {
  it("kill -9: nothing that was answered is lost, detached work goes on, a waiting request is carried out once", async () => {
    const first = await start("--factor", "10");
    const key = `${first.site.cluster.ssh.stateDir.replace("{node}", "n01")}/k1`;
    await run(
      first.site,
      "n01",
      `mkdir ${key} && { setsid sh -c 'install-driver 570.172.08; echo $? > ${key}/exit' > ${key}/output 2>&1 < /dev/null & }`,
    );
    await until(async () => (await control(first.site, "journal")).text.includes("update-begin"), "the installation has begun");
    await run(first.site, "head", "scontrol update nodename=n02 state=drain reason=last-words");
    first.child.kill("SIGKILL");
    await ended(first.child);

    const second = await start();
    expect(second.site.simulator.directory).toEqual(first.site.simulator.directory);
    expect(await stateOf(second.site, "n02")).toBe("IDLE+DRAIN");
    await until(async () => (await control(second.site, "journal")).text.includes("update-end"), "the installation ends");
    await until(async () => (await run(second.site, "n01", `cat ${key}/exit`)).out === "0\n", "its exit code");
    const journal = (await control(second.site, "journal")).json() as { what: string; seq: number; node: string }[];
    expect(journal.map((e) => e.what)).toEqual(expect.arrayContaining(["drain", "exec", "update-begin", "update-end"]));
    for (const what of ["drain", "exec", "update-begin", "update-end"]) expect(journal.filter((e) => e.what === what)).toHaveLength(1);
    expect(journal.map((e) => e.seq)).toEqual(journal.map((_, i) => i + 1));
    second.child.kill("SIGKILL");
    await ended(second.child);
  });

  it("SIGTERM: gone within a second, no process left behind", async () => {
    const { child, site } = await start();
    await run(site, "n03", "setsid sh -c 'sim-sleep 100000' > /dev/null 2>&1 < /dev/null &");
    expect(findProcesses(`SIM_RUN=${stateDir}/run`).length).toBeGreaterThan(0);
    const from = Date.now();
    child.kill("SIGTERM");
    expect(await ended(child)).toBe(0);
    expect(Date.now() - from).toBeLessThan(1000);
    expect(findProcesses(`SIM_RUN=${stateDir}/run`)).toEqual([]);
  });

  it("keeps its private key private, and publishes hosts in OpenSSH's form", () => {
    expect(statSync(join(stateDir, "id_ed25519")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(stateDir, "known_hosts"), "utf8").split("\n")[0]).toMatch(
      /^\[127\.0\.0\.1\]:\d+ ssh-ed25519 [A-Za-z0-9+/]+=*$/,
    );
  });

  it("says which port is taken, and refuses another world in the same folder", async () => {
    const ports = JSON.parse(readFileSync(join(stateDir, "ports.json"), "utf8")) as Record<string, number>;
    const thief = createServer().listen(ports["ssh/lab/n05"], "127.0.0.1");
    await until(async () => thief.listening, "the thief listens");
    await expect(start()).rejects.toThrow(`exit 1: simulator: port ${ports["ssh/lab/n05"]} on 127.0.0.1 is taken`);
    await new Promise((done) => thief.close(done));
    writeFileSync(join(folder, "world.json"), JSON.stringify({ ...SMALL_WORLD, steps: { bootS: 1 } }));
    await expect(start()).rejects.toThrow("holds another data centre");
    writeFileSync(join(folder, "world.json"), JSON.stringify({ clusters: [] }));
    await expect(start()).rejects.toThrow("the world's description is not valid: clusters");
  });
});
