import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe } from "vitest";

import { quoteShell } from "@/lib/adapters/ssh/quote-shell";
import { sshShell } from "@/lib/adapters/ssh/ssh-shell";
import type { SshShell } from "@/lib/adapters/ssh/ssh-shell";
import { startTestSite } from "@/lib/simulator/test-site";
import type { TestSite } from "@/lib/simulator/test-site";
import { schedulerContract } from "@/lib/testing/contracts/scheduler-contract";
import type { SchedulerWorld } from "@/lib/testing/contracts/scheduler-contract";
import { cliOverShell } from "./cli-over-shell";
import type { SlurmOptions } from "./slurm-options";
import { slurmScheduler } from "./slurm-scheduler";

describe("Slurm of the simulated data centre", () => {
  let site: TestSite;
  let shell: SshShell;
  beforeAll(async () => {
    site = await startTestSite();
    const { ssh } = site.cluster;
    const knownHosts = (): string => readFileSync(site.simulator.directory.knownHosts, "utf8");
    shell = sshShell({ user: ssh.user, privateKey: ssh.privateKeyPem, knownHosts, nodes: { hosts: ssh.hosts }, head: ssh.head });
  });
  afterAll(async () => {
    shell?.close();
    await site?.stop();
  });

  function worldOf(rest: SlurmOptions["rest"], nodes: [string, string]): SchedulerWorld {
    const text = async (host: { node: string } | { head: true }, command: string): Promise<string> => {
      const end = await shell.run(host, command, { timeoutMs: 20_000 });
      if (!end.ok || end.value.exitCode !== 0) throw new Error(end.ok ? Buffer.from(end.value.stderr).toString() : end.error.because);
      return Buffer.from(end.value.stdout).toString();
    };
    return {
      scheduler: slurmScheduler({ rest, cli: cliOverShell(shell, quoteShell), reservation: { users: [site.cluster.ssh.user] } }),
      nodes,
      folder: `${site.stateDir}/nodes/lab/${nodes[0]}`,
      startForeignJob: async (node) =>
        (
          await text(
            { head: true },
            `sbatch --parsable -w ${node} -J theirs -t 600 -o ${site.stateDir}/theirs.out --wrap 'sleep 3000' </dev/null`,
          )
        ).trim(),
      readFile: (node, path) => text({ node }, quoteShell(["cat", path])),
      touch: async (node, path) => void (await text({ node }, quoteShell(["touch", path]))),
      stop: async () => undefined,
    };
  }
  const rest = (version: string) => ({ url: site.cluster.restUrl, user: "root", token: () => site.cluster.token, version });

  schedulerContract("v0.0.38: reads by REST, writes by program", async () => worldOf(rest("v0.0.38"), ["n01", "n02"]));
  schedulerContract("v0.0.40: drains by REST", async () => worldOf(rest("v0.0.40"), ["n03", "n04"]));
  schedulerContract("programs only", async () => worldOf(null, ["n05", "n06"]));
});
