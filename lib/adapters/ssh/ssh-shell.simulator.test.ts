import { readFileSync } from "node:fs";

import { startTestSite } from "@/lib/simulator/test-site";
import { nodeShellContract } from "@/lib/testing/contracts/node-shell-contract";
import { until } from "@/lib/testing/lab/child";
import { sshShell } from "./ssh-shell";

nodeShellContract("simulated node", async () => {
  const site = await startTestSite();
  const { ssh } = site.cluster;
  const shell = sshShell({
    user: ssh.user,
    privateKey: ssh.privateKeyPem,
    knownHosts: () => readFileSync(site.simulator.directory.knownHosts, "utf8"),
    nodes: { hosts: ssh.hosts },
    head: ssh.head,
    stateDir: ssh.stateDir,
    bootIdFile: ssh.bootIdFile,
  });
  const host = { node: "n01" };
  return {
    shell,
    host,
    folder: ssh.stateDir.replaceAll("{node}", "n01").replace(/\/var\/lib\/clearance$/, ""),
    changeBootId: async () => {
      const before = await shell.bootId(host);
      await shell.reboot(host);
      await until("n01 has a new boot id", 60, async () => {
        const now = await shell.bootId(host);
        return now.ok && before.ok && now.value !== before.value;
      });
    },
    stop: async () => {
      shell.close();
      await site.stop();
    },
  };
});
