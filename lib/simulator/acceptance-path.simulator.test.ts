/** The way of one node through a maintenance, by the same commands that a site's own people would type. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { control, run, slurm, startTestSite, stateOf, until, type TestSite } from "./test-site";

let site: TestSite;
beforeAll(async () => void (site = await startTestSite()));
afterAll(() => site.stop());

const scontrol = (...words: string[]) => run(site, "head", `scontrol ${words.join(" ")}`);
const jobText = async (id: string): Promise<string> => (await scontrol("show job -o", id)).out;

describe("drain, update, reboot, accept, return (R3.6, R9)", () => {
  it("drains a busy node: draining until its job and the epilog are over", async () => {
    await control(site, "faults", { cluster: "lab", fault: "user-job", node: "n01", minutes: 0.7 });
    await until(async () => (await stateOf(site, "n01")) === "ALLOCATED", "the job runs");
    expect(await scontrol("update nodename=n01 state=drain")).toMatchObject({
      code: 1,
      err: expect.stringContaining("You must specify a reason"),
    });
    expect((await scontrol("update nodename=n01 state=drain 'reason=clearance:c1/n01 it''s ours'")).code).toBe(0);
    expect(await stateOf(site, "n01")).toBe("ALLOCATED+DRAIN");
    await until(async () => (await stateOf(site, "n01")) === "IDLE+COMPLETING+DRAIN", "the epilog shows");
    await until(async () => (await stateOf(site, "n01")) === "IDLE+DRAIN", "the node is empty");
  });

  it("installs without loading: a mismatch until the reboot, which changes boot id and driver", async () => {
    const bootFile = site.cluster.ssh.bootIdFile.replace("{node}", "n01");
    const before = (await run(site, "n01", `cat ${bootFile}`)).out;
    expect(await run(site, "n01", "install-driver 570.172.08")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Setting up driver (570.172.08)"),
    });
    expect(await run(site, "n01", "nvidia-smi -L")).toMatchObject({
      code: 18,
      out: expect.stringContaining("Driver/library version mismatch"),
    });
    expect((await run(site, "n01", "cat /proc/driver/nvidia/version")).out).toContain("570.133.20");
    expect((await scontrol("reboot n01")).code).toBe(0);
    await until(async () => (await stateOf(site, "n01")) === "DOWN+DRAIN+REBOOT_ISSUED", "slurm reboots it");
    await expect(run(site, "n01", "true")).rejects.toThrow(/ECONNREFUSED/);
    await until(async () => (await stateOf(site, "n01")) === "IDLE+DRAIN", "it is back and still drained");
    expect((await scontrol("show node -o n01")).out).toContain("Reason=clearance:c1/n01 its ours : reboot issued [clearance@");
    const after = (await run(site, "n01", "cat /proc/sys/kernel/random/boot_id")).out;
    expect(after).not.toBe(before);
    expect((await run(site, "n01", "nvidia-smi --query-gpu=driver_version --format=csv,noheader")).out).toBe("570.172.08\n".repeat(8));
  });

  it("runs acceptance inside a MAINT reservation while a waiting job stays out, and returns the node", async () => {
    await control(site, "faults", { cluster: "lab", fault: "user-job", node: "n01", minutes: 1 });
    const create =
      "create reservation ReservationName=clearance-c1-n01-1 flags=MAINT,IGNORE_JOBS nodes=n01 users=clearance start=now duration=30-00:00:00";
    expect(await scontrol(create)).toMatchObject({ code: 0, out: "Reservation created: clearance-c1-n01-1\n" });
    expect((await scontrol("update nodename=n01 state=resume")).code).toBe(0);
    expect(await stateOf(site, "n01")).toMatch(/^IDLE\+MAINTENANCE\+NOT_RESPONDING\+RESERVED$/);
    const output = `${site.cluster.ssh.headStateDir}/out.txt`;
    const script = "#!/bin/sh\nsim-sleep 8\nsrun --ntasks=8 all_reduce_perf -b 512M -e 8G -f 2 -g 1\n";
    const submit = `sbatch --parsable --reservation=clearance-c1-n01-1 -w n01 -J clearance-c1-n01-1 -t 10 -o ${output} --gres=gpu:8`;
    const submitted = await run(site, "head", submit, { stdin: script });
    expect(submitted).toMatchObject({ code: 0, err: "" });
    const id = submitted.out.trim();
    await until(async () => (await jobText(id)).includes("JobState=RUNNING"), "the acceptance job runs");
    expect(await scontrol("delete reservation clearance-c1-n01-1")).toMatchObject({
      code: 1,
      err: "delete_reservation reservation: Requested reservation is in use\n",
    });
    const queue = (await slurm(site, "/slurm/v0.0.40/jobs")).json();
    expect(queue.jobs.find((j: { name: string }) => j.name === "user-job" && true)).toBeDefined();
    const waiting = queue.jobs.filter((j: { job_state: string[] }) => j.job_state[0] === "PENDING");
    expect(waiting).toMatchObject([
      { state_reason: "ReqNodeNotAvail", state_description: "ReqNodeNotAvail, May be reserved for other job" },
    ]);
    await until(async () => (await jobText(id)).includes("JobState=COMPLETED"), "the acceptance job ends");
    const text = (await run(site, "head", `cat ${output}`)).out;
    expect(text).toContain("# Rank  7".replace("# Rank", "#  Rank"));
    expect(text).toMatch(/8589934592 {4}2147483648 {5}float/);
    expect(text).toContain("# Out of bounds values : 0 OK");
    expect((await scontrol("delete reservation clearance-c1-n01-1")).code).toBe(0);
    await until(async () => (await stateOf(site, "n01")) === "ALLOCATED", "the waiting job takes the node at once");
  });

  it("writes each of these deeds once into the journal, with the product's own key", async () => {
    const journal = (await control(site, "journal?after=0")).json() as { node: string | null; what: string; via: string; key?: string }[];
    const ours = journal.filter((e) => e.node === "n01" && e.via !== "control").map((e) => `${e.via} ${e.what} ${e.key ?? ""}`.trim());
    expect(ours).toEqual([
      "scontrol drain clearance:c1/n01",
      "ssh update-begin",
      "ssh update-end",
      "scontrol reboot",
      "scontrol reserve clearance-c1-n01-1",
      "scontrol resume",
      "scontrol submit clearance-c1-n01-1",
      "scontrol unreserve clearance-c1-n01-1",
      "scontrol unreserve clearance-c1-n01-1",
    ]);
    expect(journal.filter((e) => "refused" in e)).toHaveLength(1);
  });
});
