import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { readConfigFile } from "@/lib/env";

import { demoConfigFile, writeDemoConfig, type Directory } from "./demo-config";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clearance-demo-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hosts = (names: string[]): Record<string, { host: string; port: number }> =>
  Object.fromEntries(names.map((name, i) => [name, { host: "127.0.0.1", port: 20_000 + i }]));
const directory = (name: string, nodes: string[]): Directory => ({
  knownHosts: "/s/known_hosts",
  privateKey: "/s/id_ed25519",
  clusters: {
    [name]: {
      restUrl: "http://127.0.0.1:6820",
      token: "jwt-of-the-simulator",
      prometheusUrl: "http://127.0.0.1:9090",
      ssh: {
        user: "root",
        hosts: hosts(nodes),
        head: { host: "127.0.0.1", port: 2222 },
        stateDir: "/s/{node}/var",
        bootIdFile: "/s/{node}/boot_id",
      },
    },
  },
});

test("the demo's configuration is one that a site could have written, and keeps the token in a file", () => {
  writeDemoConfig(folder, directory("sim-test", ["t001", "t002", "t013"]));
  const file = demoConfigFile(folder);
  const { clusters } = readConfigFile(file, {});
  expect(clusters[0]).toMatchObject({
    id: "sim-test",
    production: false,
    disposable: true,
    ssh: { hosts: { t013: { host: "127.0.0.1", port: 20_002 } }, stateDir: "/s/{node}/var" },
    nodes: [
      { match: "t[001-002]", accelerator: { model: "H100" } },
      { match: "t013", accelerator: { model: "A100" } },
    ],
  });
  expect(readFileSync(file, "utf8")).not.toContain("jwt-of-the-simulator");
  expect(statSync(join(folder, "demo", "token-sim-test")).mode & 0o077).toBe(0);
});

test("nodes of another world are configured too", () => {
  writeDemoConfig(folder, directory("other", ["n1", "n2"]));
  const { clusters } = readConfigFile(demoConfigFile(folder), {});
  expect(clusters[0]).toMatchObject({ id: "other", nodes: [{ match: "n[1-2]" }] });
});
