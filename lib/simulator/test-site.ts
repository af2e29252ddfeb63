/** For tests: a small data centre in this process, and the three ways to talk to it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import ssh2 from "ssh2";

import { startSimulator, type Simulator } from "./simulator";
import type { ClusterEntry } from "./directory";

/** Eight nodes on two leaves, one cluster that speaks both versions; shown time runs ten times as fast. */
export const SMALL_WORLD = {
  steps: {
    bootS: 20,
    updateS: 5,
    diagS: 1,
    allReduceS: 1,
    epilogS: 10,
    scrapeS: 2,
    minJobAgeS: 600,
    slurmdTimeoutS: 30,
    resumeTimeoutS: 90,
    respondS: 10,
  },
  clusters: [
    {
      name: "lab",
      slurmVersions: ["v0.0.38", "v0.0.40"],
      partitions: [{ name: "train", nodes: "n[01-08]", default: true }],
      nodes: [{ names: "n[01-08]", features: ["sku_h100"] }],
      leaves: [
        { name: "leaf01", nodes: "n[01-04]" },
        { name: "leaf02", nodes: "n[05-08]" },
      ],
      unavailable: [{ nodes: "n08", state: "drain", reason: "DIMM replacement, ticket 123", user: "hweiss" }],
    },
  ],
};

export type TestSite = {
  readonly simulator: Simulator;
  readonly stateDir: string;
  readonly cluster: ClusterEntry;
  stop: () => Promise<void>;
};

export async function startTestSite(world: unknown = SMALL_WORLD): Promise<TestSite> {
  const stateDir = mkdtempSync(join(tmpdir(), "sim-"));
  const simulator = await startSimulator({ stateDir, world, factor: 10 });
  const cluster = Object.values(simulator.directory.clusters)[0];
  if (cluster === undefined) throw new Error("the world has no cluster");
  const stop = async (): Promise<void> => {
    await simulator.stop();
    rmSync(stateDir, { recursive: true, force: true });
  };
  return { simulator, stateDir, cluster, stop };
}

/** A body whose shape the test knows: reading a key that is not there gives undefined, as a wrong body should fail the test. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read foreign bodies by path
type Json = any;
type Reply = { readonly status: number; readonly text: string; readonly json: () => Json };

export async function ask(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, text, json: () => JSON.parse(text) };
}

export const slurm = (site: TestSite, path: string, init: RequestInit = {}): Promise<Reply> =>
  ask(`${site.cluster.restUrl}${path}`, {
    ...init,
    headers: { "x-slurm-user-name": "root", "x-slurm-user-token": site.cluster.token, ...init.headers },
  });

export const control = (site: TestSite, path: string, body?: unknown): Promise<Reply> =>
  ask(`${site.simulator.controlUrl}/_control/${path}`, body === undefined ? {} : { method: "POST", body: JSON.stringify(body) });

type Ran = { readonly code: number | null; readonly signal: string | undefined; readonly out: string; readonly err: string };

/** Runs one command over SSH with the host key checked; rejects as the SSH client does. */
export function run(site: TestSite, host: string, command: string, options: { stdin?: string; timeoutMs?: number } = {}): Promise<Ran> {
  const { ssh } = site.cluster;
  const address = host === "head" ? ssh.head : ssh.hosts[host];
  if (address === undefined) return Promise.reject(new Error(`no host ${host}`));
  const client = new ssh2.Client();
  return new Promise((resolve, reject) => {
    client.on("error", reject);
    client.on("ready", () => {
      client.exec(command, (cause, channel) => {
        if (cause) return reject(cause);
        let [out, err] = ["", ""];
        channel.on("data", (chunk: Buffer) => (out += chunk.toString()));
        channel.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
        channel.on("close", (code: number | null, signal?: string) => {
          client.end();
          resolve({ code, signal, out, err });
        });
        channel.end(options.stdin ?? "");
      });
    });
    client.connect({
      host: address.host,
      port: address.port,
      username: ssh.user,
      privateKey: ssh.privateKeyPem,
      readyTimeout: options.timeoutMs ?? 5000,
      hostVerifier: (key: Buffer) => address.hostKey.split(" ")[1] === key.toString("base64"),
    });
  });
}

/** Polls until the value is there; the last one is in the error's text. */
export async function until<T>(look: () => Promise<T | null | false>, what: string, limitMs = 10_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await look();
    if (value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Slurm's word for a node, as `scontrol show node` gives it. */
export async function stateOf(site: TestSite, node: string): Promise<string> {
  const { out } = await run(site, "head", `scontrol show node -o ${node}`);
  return / State=(\S+)/.exec(out)?.[1] ?? out;
}
