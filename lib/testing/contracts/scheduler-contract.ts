import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "@/lib/testing/lab/child";
import type { Scheduler, ScheduledJob, ScheduledNode } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import type { Result } from "@/lib/core/kernel/result";

export type SchedulerWorld = {
  readonly scheduler: Scheduler;
  /** Idle nodes that nobody else touches while the suite runs; at least two. */
  readonly nodes: readonly [string, string, ...string[]];
  /** A job of somebody else's on one node, outside every reservation; gives its id. */
  startForeignJob(node: string): Promise<string>;
  /** A file on a node. */
  readFile(node: string, path: string): Promise<string>;
  /** Makes an empty file on a node. */
  touch(node: string, path: string): Promise<void>;
  /** A folder on every node where jobs may write. */
  readonly folder: string;
  stop(): Promise<void>;
};

function valueOf<T>(result: Result<T, SourceError>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.because}`);
  return result.value;
}

/** What every Scheduler must do, whatever is behind it; with the acceptance path of R3.6. */
export function schedulerContract(name: string, makeWorld: () => Promise<SchedulerWorld>): void {
  describe(`Scheduler: ${name}`, () => {
    let world: SchedulerWorld;
    let scheduler: Scheduler;
    let node: string;
    let second: string;
    beforeAll(async () => {
      world = await makeWorld();
      ({ scheduler } = world);
      [node, second] = world.nodes;
    }, 120_000);
    afterAll(() => world?.stop(), 120_000);

    const nodeIs = async (which: string, what: string, is: (node: ScheduledNode) => boolean, seconds = 30): Promise<ScheduledNode> => {
      let last = "";
      return until(`${which} is ${what}`, seconds, async () => {
        const seen = valueOf(await scheduler.readNode(which));
        last = `${seen.state} (${seen.words.join("+")}, ${seen.allocatedCpus} CPUs, ${seen.reason})`;
        return is(seen) ? seen : null;
      }).catch((cause: unknown) => {
        throw new Error(`${which} should be ${what}, but is ${last}`, { cause });
      });
    };
    const jobIs = async (id: string, what: string, is: (job: ScheduledJob) => boolean, seconds = 30): Promise<ScheduledJob> => {
      let last = "";
      return until(`job ${id} is ${what}`, seconds, async () => {
        const seen = valueOf(await scheduler.readJob(id));
        last = seen.state;
        return is(seen) ? seen : null;
      }).catch((cause: unknown) => {
        throw new Error(`job ${id} should be ${what}, but is ${last}`, { cause });
      });
    };
    const backInService = async (which: string): Promise<void> => {
      const seen = valueOf(await scheduler.readNode(which));
      if (seen.state !== "in_service") valueOf(await scheduler.resume(which));
      await nodeIs(which, "in service", (one) => one.state === "in_service" && one.responding);
    };

    it("tells its version", async () => {
      expect(valueOf(await scheduler.ping()).version).toMatch(/^\d\d\.\d\d/);
    });

    it("lists every node once, with its slice of the answer as evidence", async () => {
      const list = valueOf(await scheduler.listNodes());
      expect(list.digest).toMatch(/^[0-9a-f]{64}$/);
      expect(list.request).toMatch(/nodes|sinfo|show node/);
      const seen = list.entries.find((entry) => entry.name === node);
      expect(seen).toMatchObject({ state: "in_service", allocatedCpus: 0, responding: true, gpus: 8 });
      expect(seen?.raw).toContain(node);
      expect(seen?.partitions.length).toBeGreaterThan(0);
      expect(new Set(list.entries.map((entry) => entry.name)).size).toBe(list.entries.length);
    });

    it("R5.2: knows the leaves, every node on one", async () => {
      const topology = valueOf(await scheduler.readTopology());
      const holding = topology?.leaves.filter((leaf) => leaf.nodes.includes(node)) ?? [];
      expect(holding).toHaveLength(1);
    });

    it("a name that is not exactly one node's asks nothing of the scheduler", async () => {
      for (const bad of [
        "ALL",
        "all",
        `${node},${second}`,
        "gpu[001-002]",
        "-x",
        "--help",
        "",
        "a b",
        "a\nb",
        "$(id)",
        "x".repeat(254),
        "../x",
      ]) {
        expect(await scheduler.readNode(bad), bad).toMatchObject({ ok: false, error: { code: "refused" } });
        expect(await scheduler.drain(bad, "r"), bad).toMatchObject({ ok: false, error: { code: "refused" } });
        expect(await scheduler.resume(bad), bad).toMatchObject({ ok: false, error: { code: "refused" } });
        expect(await scheduler.reboot(bad, "r"), bad).toMatchObject({ ok: false, error: { code: "refused" } });
        expect(await scheduler.unreserve(bad), bad).toMatchObject({ ok: false, error: { code: "refused" } });
      }
      expect(await scheduler.cancel("1 2")).toMatchObject({ ok: false, error: { code: "refused" } });
    });

    it("an unknown node, job and reservation are not_found, never empty", async () => {
      expect(await scheduler.readNode("nosuch")).toMatchObject({ ok: false, error: { code: "not_found" } });
      expect(await scheduler.drain("nosuch", "r")).toMatchObject({ ok: false, error: { code: "not_found" } });
      expect(await scheduler.readJob("999999")).toMatchObject({ ok: false, error: { code: "not_found" } });
      expect(await scheduler.readReservation("nosuch")).toEqual({ ok: true, value: null });
      expect(await scheduler.unreserve("nosuch")).toMatchObject({ ok: false, error: { code: "not_found" } });
    });

    it("R9.5: drains with its reason as written, and resumes", async () => {
      const reason = `clearance:0193-abc/${node} it's "quoted" $(id) \`id\` ; rm -rf / [x@y] a=b ünï`;
      expect(await scheduler.drain(node, `${reason}\n\u0007`)).toEqual({ ok: true, value: undefined });
      const drained = await nodeIs(node, "drained", (seen) => seen.state === "drained");
      expect(drained.reason).toBe(reason);
      expect(drained.reasonAt).toBeInstanceOf(Date);
      expect(drained.words).toContain("DRAIN");
      await backInService(node);
      expect(valueOf(await scheduler.readNode(node)).reason).toBeNull();
    });

    it("resuming a node that is in service is invalid_state", async () => {
      expect(await scheduler.resume(node)).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    });

    it("a drain without a reason is refused", async () => {
      expect(await scheduler.drain(node, " \n\t")).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(valueOf(await scheduler.readNode(node)).state).toBe("in_service");
    });

    it("R9.5: a node with a job is draining, and drained only when the job has left", async () => {
      const job = await world.startForeignJob(second);
      await jobIs(job, "running", (seen) => seen.phase === "active" && seen.nodes.includes(second));
      valueOf(await scheduler.drain(second, `clearance:x/${second}`));
      await nodeIs(second, "draining", (seen) => seen.state === "draining" && seen.allocatedCpus > 0);
      const listed = valueOf(await scheduler.listJobs()).entries.find((entry) => entry.id === job);
      expect(listed).toMatchObject({ phase: "active", nodes: [second], exitCode: null });
      expect(listed?.endsAt).not.toBeNull();
      valueOf(await scheduler.cancel(job));
      const ended = await jobIs(job, "ended", (seen) => seen.phase === "ended");
      expect(ended.state).toMatch(/CANCELLED/);
      await nodeIs(second, "drained", (seen) => seen.state === "drained");
      await backInService(second);
    });

    it("R3.6: drain, reserve, resume, run inside, foreign jobs stay out, unreserve when free", async () => {
      const reservation = `clearance-accept-${node}-${process.pid}`;
      valueOf(await scheduler.drain(node, `clearance:x/${node}`));
      await nodeIs(node, "drained", (seen) => seen.state === "drained");
      valueOf(await scheduler.reserve({ name: reservation, nodes: [node], durationMs: 30 * 24 * 3_600_000 }));
      expect(await scheduler.reserve({ name: reservation, nodes: [node], durationMs: 3_600_000 })).toMatchObject({
        ok: false,
        error: { code: "invalid_state" },
      });
      const held = valueOf(await scheduler.readReservation(reservation));
      expect(held).toMatchObject({ name: reservation, nodes: [node], flags: expect.arrayContaining(["MAINT", "IGNORE_JOBS"]) as string[] });
      expect((held?.endsAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(29 * 24 * 3_600_000);
      expect(valueOf(await scheduler.readNode(node)).reservation).toBe(reservation);
      valueOf(await scheduler.resume(node));
      const listed = valueOf(await scheduler.listNodes()).entries.filter((entry) => entry.reservation !== null);
      expect(listed.map((entry) => [entry.name, entry.reservation])).toEqual([[node, reservation]]);
      await nodeIs(node, "resumed and answering", (seen) => !seen.words.includes("DRAIN") && seen.responding);

      const foreign = await world.startForeignJob(node);
      const output = `${world.folder}/accept-${node}-${process.pid}.out`;
      const { jobId } = valueOf(
        await scheduler.submit({
          name: `clearance-x-${node}-1`,
          nodes: [node],
          reservation,
          script: `#!/bin/sh\necho "it's on $SLURM_JOB_NODELIST with $SLURM_GPUS_ON_NODE"\nwhile [ ! -e '${output}.go' ]; do sleep 0.2; done\nexit 3\n`,
          timeLimitMs: 600_000,
          output,
        }),
      );
      await jobIs(jobId, "running", (seen) => seen.phase === "active" && seen.nodes.includes(node));
      expect(await scheduler.unreserve(reservation)).toMatchObject({ ok: false, error: { code: "in_use" } });
      await world.touch(node, `${output}.go`);
      const ended = await jobIs(jobId, "ended", (seen) => seen.phase === "ended");
      expect(ended).toMatchObject({ exitCode: 3, signal: null, requeues: 0, name: `clearance-x-${node}-1` });
      expect(await world.readFile(node, output)).toMatch(new RegExp(`^it's on ${node}`));
      expect(valueOf(await scheduler.readJob(foreign)).phase).toBe("waiting");
      valueOf(await scheduler.cancel(foreign));

      await until("the reservation can be deleted", 20, async () => {
        const gone = await scheduler.unreserve(reservation);
        if (!gone.ok && gone.error.code !== "in_use") throw new Error(gone.error.because);
        return gone.ok;
      });
      expect(await scheduler.readReservation(reservation)).toEqual({ ok: true, value: null });
      expect(await scheduler.unreserve(reservation)).toMatchObject({ ok: false, error: { code: "not_found" } });
      await nodeIs(node, "in service", (seen) => seen.state === "in_service" && seen.reservation === null);
    });

    it("a job for a reservation that is not there, and hostile jobs, are not taken", async () => {
      const job = {
        name: "x",
        nodes: [node],
        reservation: "nosuch",
        script: "#!/bin/sh\n",
        timeLimitMs: 60_000,
        output: `${world.folder}/x`,
      };
      expect(await scheduler.submit(job)).toMatchObject({ ok: false, error: { code: "not_found" } });
      for (const bad of [
        { name: "-x" },
        { nodes: ["ALL"] },
        { nodes: [] },
        { output: "x" },
        { output: "/a\n/b" },
        { script: "#!/bin/sh\n\0" },
      ]) {
        expect(await scheduler.submit({ ...job, ...bad }), JSON.stringify(bad)).toMatchObject({ ok: false, error: { code: "refused" } });
      }
      expect(await scheduler.reserve({ name: "r", nodes: ["nosuch"], durationMs: 60_000 })).toMatchObject({
        ok: false,
        error: { code: "not_found" },
      });
    });

    it("R9.2, R9.5: a plain reboot keeps the drain and its reason, whoever wrote it; boot time proves it", async () => {
      valueOf(await scheduler.drain(second, "fan noise, ticket 200"));
      const before = await nodeIs(second, "drained", (seen) => seen.state === "drained" && seen.bootedAt !== null);
      valueOf(await scheduler.reboot(second, null));
      const after = await nodeIs(
        second,
        "booted anew",
        (seen) =>
          seen.bootedAt !== null &&
          seen.bootedAt.getTime() > (before.bootedAt?.getTime() ?? 0) &&
          !seen.words.some((word) => word.startsWith("REBOOT")),
        90,
      );
      expect(after.words).toContain("DRAIN");
      expect(after.reason).toMatch(/^fan noise, ticket 200/);
      // A second order drops the reason unless it is told again (measured).
      valueOf(await scheduler.reboot(second, "fan noise, ticket 200"));
      const again = await nodeIs(second, "booted again", (seen) => (seen.bootedAt?.getTime() ?? 0) > (after.bootedAt?.getTime() ?? 0), 90);
      expect(again.reason).toMatch(/^fan noise, ticket 200/);
      await backInService(second);
    });
  });
}
