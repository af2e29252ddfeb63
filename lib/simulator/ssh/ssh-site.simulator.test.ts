/** Machines over a real SSH client. */
import { existsSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { control, run, slurm, startTestSite, stateOf, until, type TestSite } from "@/lib/simulator/test-site";

let site: TestSite;
beforeAll(async () => void (site = await startTestSite()));
afterAll(() => site.stop());

const fault = (fault: string, node: string, more: Record<string, unknown> = {}) =>
  control(site, "faults", { cluster: "lab", fault, node, ...more });
const detached = (key: string, node: string, command: string): string => {
  const folder = `${site.cluster.ssh.stateDir.replace("{node}", node)}/${key}`;
  return `mkdir ${folder} && cd ${folder} && { setsid nohup sh -c 'echo $$ > pid; ( ${command} ) > output 2>&1; echo $? > exit.tmp; mv exit.tmp exit' > /dev/null 2>&1 < /dev/null & } && echo started`;
};
const exitOf = (key: string, node: string) => async (): Promise<string | false> => {
  const { out, code } = await run(site, node, `cat ${site.cluster.ssh.stateDir.replace("{node}", node)}/${key}/exit`);
  return code === 0 && out.trim();
};

describe("exec", () => {
  it("keeps stdout, stderr, exit code, signal and input apart", async () => {
    expect(await run(site, "n01", "echo out; echo err >&2; exit 3")).toMatchObject({ code: 3, out: "out\n", err: "err\n" });
    expect(await run(site, "n01", "sed s/a/b/", { stdin: "aha" })).toMatchObject({ code: 0, out: "bha" });
    expect(await run(site, "n01", "kill -9 $$")).toMatchObject({ signal: "SIGKILL" });
    expect(await run(site, "n01", "no-such-program")).toMatchObject({ code: 127 });
  });

  it("speaks for its own machine", async () => {
    expect((await run(site, "n03", "uname -r; hostname; cat /etc/os-release")).out).toMatch(
      /^5\.15\.0-1071-generic\nn03\nPRETTY_NAME="Ubuntu 22\.04/,
    );
    expect(await run(site, "n03", `cat ${site.cluster.ssh.bootIdFile.replace("{node}", "n03")}`)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^[0-9a-f-]{36}\n$/),
    });
  });

  it("does not remove what lies outside the site", async () => {
    expect(await run(site, "n03", "rm -rf /tmp/definitely-not-ours")).toMatchObject({
      code: 1,
      err: expect.stringContaining("outside the simulated site"),
    });
  });

  it("a foreground command ends with its connection, a detached one goes on and is journaled once under its key", async () => {
    expect((await run(site, "n02", detached("k1", "n02", "sim-sleep 5; echo done"))).out).toBe("started\n");
    expect((await run(site, "n02", detached("k1", "n02", "echo twice"))).code).not.toBe(0);
    expect(await until(exitOf("k1", "n02"), "the detached command ends")).toBe("0");
    const journal = (await control(site, "journal")).json() as { what: string; key?: string; node: string }[];
    expect(journal.filter((e) => e.what === "exec" && e.key === "k1")).toMatchObject([{ node: "n02" }]);
  });

  it("scontrol works inside scripts too", async () => {
    expect(await run(site, "head", "scontrol ping && sinfo -h -N -o '%N %T' | head -1")).toMatchObject({
      code: 0,
      out: "Slurmctld(primary) at ctl1 is UP\nn01 idle\n",
    });
    expect(await run(site, "head", "scontrol show node nosuch || echo rc=$?")).toMatchObject({ out: "Node nosuch not found\nrc=1\n" });
    expect(await run(site, "head", "printf '#!/bin/sh\\ntrue\\n' | sbatch --parsable -J piped | tr -d '\\n'")).toMatchObject({
      out: expect.stringMatching(/^\d+$/),
    });
  });
});

describe("a reboot from inside", () => {
  it("kills what runs, closes the port, and comes back with another boot id (R9.4)", async () => {
    const bootId = async (): Promise<string> => (await run(site, "n04", "cat /proc/sys/kernel/random/boot_id")).out;
    const before = await bootId();
    await run(site, "n04", detached("long", "n04", "sim-sleep 100000"));
    await run(site, "n04", "systemctl reboot").catch(() => null); // the connection breaks
    await expect(run(site, "n04", "true")).rejects.toThrow();
    expect(await stateOf(site, "n04")).toMatch(/NOT_RESPONDING/);
    const after = await until(() => bootId().catch(() => false as const), "the machine is back");
    expect(after).not.toBe(before);
    expect(existsSync(join(site.stateDir, "nodes/lab/n04/var/lib/clearance/long/exit"))).toBe(false);
    const journal = (await control(site, "journal")).json() as { what: string; node: string; via: string }[];
    expect(journal.filter((e) => e.what === "reboot" && e.node === "n04")).toMatchObject([{ via: "ssh" }]);
  });
});

describe("faults of machines", () => {
  it("ssh-refuses, ssh-hangs, host-key-changes, and back", async () => {
    await fault("ssh-refuses", "n05");
    await expect(run(site, "n05", "true")).rejects.toThrow(/ECONNREFUSED/);
    await fault("ssh-refuses", "n05", { clear: true });
    await fault("ssh-hangs", "n05");
    await expect(run(site, "n05", "true", { timeoutMs: 300 })).rejects.toThrow(/Timed out/);
    await fault("ssh-hangs", "n05", { clear: true });
    await fault("host-key-changes", "n05");
    await expect(run(site, "n05", "true")).rejects.toThrow(/[Hh]ost/);
    await fault("host-key-changes", "n05", { clear: true });
    expect((await run(site, "n05", "true")).code).toBe(0);
  });

  it("update-fails: the exit code and dpkg's words, and the old version stays", async () => {
    await fault("update-fails", "n05", { exitCode: 4 });
    expect(await run(site, "n05", "install-driver 570.172.08")).toMatchObject({
      code: 4,
      err: expect.stringContaining("error processing package driver-570.172.08"),
    });
    expect((await run(site, "n05", "nvidia-smi --query-gpu=driver_version --format=csv,noheader -i 0")).out).toBe("570.133.20\n");
    expect(await run(site, "n05", "install-driver 'x y'")).toMatchObject({ code: 64 });
  });

  it("gpu-missing: seven GPUs everywhere, and the collective test says which number is wrong", async () => {
    await fault("gpu-missing", "n06");
    expect((await run(site, "n06", "nvidia-smi --query-gpu=index --format=csv,noheader")).out.trim().split("\n")).toHaveLength(7);
    expect((await run(site, "n06", "nvidia-smi -q -x")).out).toContain("<attached_gpus>7</attached_gpus>");
    const diag = JSON.parse((await run(site, "n06", "dcgmi diag -r 2 -j")).out);
    expect(diag.entity_groups[0].entities).toHaveLength(7);
    expect(await run(site, "n06", "mpirun -np 16 --host n05,n06 all_reduce_perf -b 512M -e 512M")).toMatchObject({
      code: 1,
      err: "Invalid number of GPUs: 8 requested but only 7 were found.\n",
    });
  });

  it("mpirun: N tasks are N ranks on as many hosts as they need, and more than there are slots do not start", async () => {
    const test = "all_reduce_perf -b 512M -e 512M";
    const lines = async (line: string): Promise<string[]> =>
      (await run(site, "n01", line)).out.split("\n").filter((one) => /^# +Rank/.test(one));
    expect(await lines(`mpirun -np 8 --host n01,n02 ${test}`)).toHaveLength(8);
    expect((await lines(`mpirun -np 8 --host n01,n02 ${test}`)).every((one) => one.includes("n01"))).toBe(true);
    expect(await lines(`mpirun -np 16 --host n01,n02 ${test}`)).toHaveLength(16);
    expect(await run(site, "n01", `mpirun -np 17 --host n01,n02 ${test}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("There are not enough slots available in the system"),
    });
  });

  it("dcgm-not-run: valid JSON that says so, exit 226", async () => {
    await fault("dcgm-not-run", "n07");
    const { code, out } = await run(site, "n07", "dcgmi diag -r 2 -j");
    expect([code, Object.keys(JSON.parse(out)["DCGM Diagnostic"])]).toEqual([226, ["runtime_error", "version"]]);
  });

  it("all-reduce-slow and wrong-output: what the table says adds up (busbw = algbw x 1.875 for 16 ranks)", async () => {
    const table = async (): Promise<number[][]> => {
      const { out } = await run(site, "n01", "mpirun -np 16 --host n01,n07 all_reduce_perf -b 512M -e 8G -f 2 -g 1");
      expect(out).toContain("# Collective test concluded: all_reduce_perf");
      return out
        .split("\n")
        .filter((l) => /^ +\d+ +\d+ +float/.test(l))
        .map((l) => l.trim().split(/\s+/).map(Number));
    };
    const healthy = await table();
    expect(healthy.map((r) => r[0])).toEqual([536870912, 1073741824, 2147483648, 4294967296, 8589934592]);
    for (const row of healthy) {
      expect(row).toHaveLength(13);
      expect(Math.abs((row[7] ?? 0) / (row[6] ?? 1) - 1.875)).toBeLessThan(0.001);
      expect(Math.abs((row[0] ?? 0) / (row[5] ?? 1) / 1000 - (row[6] ?? 0))).toBeLessThan(0.02);
      expect([row[8], row[12]]).toEqual([0, 0]);
      expect(row[7]).toBeGreaterThan(440);
    }
    await fault("all-reduce-slow", "n07", { percent: 17 });
    const slow = await table();
    const share = (slow.at(-1)?.[7] ?? 0) / (healthy.at(-1)?.[7] ?? 1);
    expect(share).toBeGreaterThan(0.82);
    expect(share).toBeLessThan(0.84);
    await fault("wrong-output", "n07");
    expect((await table()).at(-1)?.[12]).toBe(18);
  });

  it("foreign hands: a drain, another reason, a return; a node that appears gets its own address", async () => {
    await fault("foreign-drain", "n02", { reason: "DIMM replacement", user: "hweiss" });
    const node = async () => (await slurm(site, "/slurm/v0.0.38/node/n02")).json().nodes[0];
    expect(await node()).toMatchObject({ state_flags: ["DRAIN"], reason: "DIMM replacement", reason_set_by_user: "hweiss" });
    await fault("foreign-reason-change", "n02", { reason: "RMA" });
    expect(await node()).toMatchObject({ reason: "RMA" });
    await fault("foreign-resume", "n02");
    expect((await node()).state_flags).not.toContain("DRAIN");
    await fault("new-node", "n09", { leaf: "leaf02", like: "n01" });
    const hosts = (await control(site, "directory")).json().clusters.lab.ssh.hosts;
    expect(Object.keys(hosts)).toContain("n09");
    expect((await run(site, "head", "scontrol show topology n09")).out).toContain("n[05-09]");
    await fault("node-vanishes", "n09");
    expect((await run(site, "head", "scontrol show node n09")).out).toBe("Node n09 not found\n");
  });
});
