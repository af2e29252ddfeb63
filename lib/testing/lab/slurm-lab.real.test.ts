import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sshShell } from "@/lib/adapters/ssh/ssh-shell";
import type { SshShell } from "@/lib/adapters/ssh/ssh-shell";
import { until } from "./child";
import { requireReal } from "./require-real";
import { startSlurmLab } from "./slurm-lab";
import type { SlurmLab } from "./slurm-lab";

const real = requireReal("slurm");
const DRIVER = "nvidia-smi --query-gpu=driver_version --format=csv,noheader | sort -u";

describe.skipIf(!real)("the lab's machines", () => {
  let lab: SlurmLab;
  let shell: SshShell;
  beforeAll(async () => {
    lab = await startSlurmLab({ nodes: 4, bootSeconds: 1 });
    const { user, privateKey, knownHosts, hosts, head, stateDir, bootIdFile } = lab.ssh;
    shell = sshShell({ user, privateKey, knownHosts: () => knownHosts, nodes: { hosts }, head, stateDir, bootIdFile });
  });
  afterAll(async () => {
    shell?.close();
    await lab?.stop();
  });

  async function say(node: string, command: string): Promise<string> {
    const end = await shell.run({ node }, command, { timeoutMs: 20_000 });
    if (!end.ok) throw new Error(end.error.because);
    return Buffer.from(end.value.stdout).toString().trim();
  }

  it.each([
    ["gpu001", "by scontrol", (node: string) => void lab.slurm("scontrol", "reboot", node)],
    ["gpu002", "over SSH", async (node: string) => void (await shell.start({ node }, "reboot/1", "systemctl reboot", 60_000))],
  ])("a driver is staged until %s is rebooted %s: new boot id, work lost", async (node, _how, order) => {
    expect(await say(node, DRIVER)).toBe("570.133.20");
    expect(await say(node, "install-driver 570.172.08")).toContain("570.172.08");
    expect(await say(node, DRIVER)).toBe("570.133.20");
    const work = await shell.start({ node }, "work/1", "sleep 600", 600_000);
    const before = await shell.bootId({ node });
    await order(node);
    await until(`${node} has a new boot id`, 60, async () => {
      const now = await shell.bootId({ node });
      return now.ok && before.ok && now.value !== before.value;
    });
    expect(await say(node, DRIVER)).toBe("570.172.08");
    expect(work.ok && (await shell.poll({ node }, work.value))).toMatchObject({ ok: true, value: { is: "lost" } });
    expect(lab.journal(node).slice(0, 2)).toEqual(["install-driver 570.172.08 begin", "install-driver 570.172.08 end"]);
  });

  it("a job of the scheduler finds its own node's tools", async () => {
    lab.setFact("gpu003", "slow", "17");
    const output = `${lab.stateDir}/job.out`;
    const script = "srun --ntasks=8 all_reduce_perf -b 512M -e 8G -f 2 -g 1";
    lab.slurm("sbatch", "--wait", "-w", "gpu003", "-D", "/tmp", "-o", output, "--exclusive", "--wrap", script);
    const text = await say("gpu004", `cat '${output}'`);
    expect(text).toContain("gpu003 device  7");
    expect(text).toContain("# Collective test concluded: all_reduce_perf");
    const average = Number(/Avg bus bandwidth\s*:\s*([\d.]+)/.exec(text)?.[1]);
    expect(average).toBeGreaterThan(370);
    expect(average).toBeLessThan(390);
  });

  it("a node that is off cannot be reached, and comes back under its own key", async () => {
    lab.power("gpu004", "crash");
    expect(await shell.run({ node: "gpu004" }, "true", { timeoutMs: 5_000 })).toMatchObject({ ok: false, error: { code: "unreachable" } });
    lab.power("gpu004", "boot");
    await until("gpu004 answers", 30, async () => (await shell.bootId({ node: "gpu004" })).ok);
  });
});
