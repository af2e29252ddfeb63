import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { schedulerContract } from "@/lib/testing/contracts/scheduler-contract";
import type { SchedulerWorld } from "@/lib/testing/contracts/scheduler-contract";
import { quoteShell } from "@/lib/adapters/ssh/quote-shell";
import { sshShell } from "@/lib/adapters/ssh/ssh-shell";
import { until } from "@/lib/testing/lab/child";
import { requireReal } from "@/lib/testing/lab/require-real";
import { startSlurmLab } from "@/lib/testing/lab/slurm-lab";
import type { SlurmLab } from "@/lib/testing/lab/slurm-lab";
import { cliOverLocal } from "./cli-over-local";
import { cliOverShell } from "./cli-over-shell";
import type { SlurmOptions } from "./slurm-options";
import { slurmScheduler } from "./slurm-scheduler";

const real = requireReal("slurm");
const RESERVATION = { users: ["root"] };

describe.skipIf(!real)("Slurm 22.05, real", () => {
  let lab: SlurmLab;
  beforeAll(async () => {
    lab = await startSlurmLab({ nodes: 6 });
  }, 120_000);
  afterAll(() => lab?.stop(), 120_000);

  function worldOf(
    options: Pick<SlurmOptions, "rest" | "cli">,
    nodes: [string, string],
    close: () => void = () => undefined,
  ): SchedulerWorld {
    return {
      scheduler: slurmScheduler({ ...options, reservation: RESERVATION }),
      nodes,
      folder: lab.stateDir,
      startForeignJob: async (node) =>
        lab
          .slurm("sbatch", "--parsable", "-w", node, "-J", "theirs", "-t", "30", "-D", "/tmp", "-o", "/dev/null", "--wrap", "sleep 300")
          .trim(),
      readFile: async (_node, path) => readFileSync(path, "utf8"),
      touch: async (_node, path) => writeFileSync(path, ""),
      stop: async () => close(),
    };
  }
  const rest = () => ({ url: lab.restUrl, user: "root", token: () => lab.token() });

  schedulerContract("slurmrestd v0.0.38 and local programs", async () =>
    worldOf({ rest: rest(), cli: cliOverLocal(lab.env) }, ["gpu001", "gpu002"]),
  );

  schedulerContract("programs on the head host over SSH", async () => {
    const { user, privateKey, knownHosts, hosts, head } = lab.ssh;
    const shell = sshShell({ user, privateKey, knownHosts: () => knownHosts, nodes: { hosts }, head });
    return worldOf({ rest: null, cli: cliOverShell(shell, quoteShell) }, ["gpu003", "gpu004"], () => shell.close());
  });

  describe("failures", () => {
    const local = () => cliOverLocal(lab.env);

    it("a wrong token, user and version are told apart, and no token is named", async () => {
      const bad = async (change: object) =>
        slurmScheduler({ rest: { ...rest(), ...change }, cli: local(), reservation: RESERVATION }).listNodes();
      const junk = await bad({ token: () => "s3cret.junk" });
      expect(junk).toMatchObject({ ok: false, error: { code: "unreachable", because: expect.stringContaining("token") as string } });
      expect(JSON.stringify(junk)).not.toContain("s3cret");
      expect(await bad({ version: "v0.0.99" })).toMatchObject({ ok: false, error: { code: "unsupported_version" } });
      expect(await bad({ url: "http://127.0.0.1:1" })).toMatchObject({ ok: false, error: { code: "unreachable" } });
    });

    it("an unprivileged user is denied", async () => {
      const asNobody = {
        run: (argv: readonly string[]) => local().run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ...argv]),
      };
      const scheduler = slurmScheduler({ rest: null, cli: asNobody, reservation: RESERVATION });
      expect(await scheduler.drain("gpu005", "x")).toMatchObject({ ok: false, error: { code: "denied" } });
      expect(await scheduler.reboot("gpu005", "x")).toMatchObject({ ok: false, error: { code: "denied" } });
      const job = lab.slurm("sbatch", "--parsable", "-w", "gpu005", "-D", "/tmp", "-o", "/dev/null", "--wrap", "sleep 300").trim();
      expect(await scheduler.cancel(job)).toMatchObject({ ok: false, error: { code: "denied" } });
      lab.slurm("scancel", job);
    });

    it("a site without Slurm's programs, and with nobody to run as, is told so", async () => {
      const none = slurmScheduler({ rest: null, cli: cliOverLocal({ PATH: "/nowhere" }), reservation: {} });
      expect(await none.listNodes()).toMatchObject({ ok: false, error: { code: "unreachable" } });
      expect(await none.reserve({ name: "r", nodes: ["gpu001"], durationMs: 60_000 })).toMatchObject({
        ok: false,
        error: { code: "refused" },
      });
    });

    it("R9.2: somebody else's drain reason comes back whole, whoever reads it", async () => {
      lab.slurm("scontrol", "update", "nodename=gpu006", "state=drain", "reason=DIMM = bad [root@2020-01-01T00:00:00] a=b");
      const readings = await Promise.all(
        [rest(), null].map((way) => slurmScheduler({ rest: way, cli: local(), reservation: RESERVATION }).readNode("gpu006")),
      );
      for (const seen of readings) {
        expect(seen).toMatchObject({ ok: true, value: { state: "drained", reason: "DIMM = bad [root@2020-01-01T00:00:00] a=b" } });
      }
      const [byRest, byText] = readings.map((seen) => (seen.ok ? seen.value.reasonAt?.getTime() : 0));
      expect(byText).toBe(byRest);
    });

    it("a controller that is away is unreachable, by every way, never an empty list", async () => {
      const pid = Number(readFileSync(`${lab.stateDir}/run/slurmctld.pid`, "utf8").split(" ")[0]);
      process.kill(pid, "SIGSTOP");
      try {
        const [byRest, byProgram] = await Promise.all(
          [rest(), null].map((way) => {
            const token = way === null ? null : { ...way, token: () => fixed };
            return slurmScheduler({ rest: token, cli: local(), reservation: RESERVATION }).listJobs();
          }),
        );
        expect(byRest).toMatchObject({ ok: false });
        expect(byProgram).toMatchObject({ ok: false });
      } finally {
        process.kill(pid, "SIGCONT");
      }
      await until(
        "it answers again",
        30,
        async () => (await slurmScheduler({ rest: null, cli: local(), reservation: RESERVATION }).ping()).ok,
      );
    });
    let fixed = "";
    beforeAll(() => {
      fixed = lab.token();
    });
  });
});
