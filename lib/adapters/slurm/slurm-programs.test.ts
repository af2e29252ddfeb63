import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { quoteShell } from "@/lib/adapters/ssh/quote-shell";
import type { ShellEnd } from "@/lib/ports/node-shell";
import { cliError } from "./cli-error";
import { cliOverLocal } from "./cli-over-local";
import { cliOverShell } from "./cli-over-shell";
import { readReservationText } from "./read-reservation";
import { readTopologyText } from "./read-topology";
import type { SlurmCli } from "./slurm-cli";
import { slurmScheduler } from "./slurm-scheduler";

function endOf(exitCode: number | null, stdout = "", stderr = "", truncated = false): ShellEnd {
  const at = new Date(0);
  return { exitCode, signal: null, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), truncated, startedAt: at, endedAt: at };
}

/** Programs that answer by their command line; anything else is an error. */
const HELD = "scontrol --all -o show reservation";

function programs(answers: Record<string, ShellEnd>): { cli: SlurmCli; ran: string[]; fed: (string | undefined)[] } {
  const ran: string[] = [];
  const fed: (string | undefined)[] = [];
  return {
    ran,
    fed,
    cli: {
      run: async (argv, stdin) => {
        if (argv.join(" ") === HELD) return { ok: true, value: answers[HELD] ?? endOf(0, "No reservations in the system\n") };
        ran.push(argv.join(" "));
        fed.push(stdin);
        return { ok: true, value: answers[argv.join(" ")] ?? answers[argv[0] ?? ""] ?? endOf(1, "", `unexpected ${argv.join(" ")}`) };
      },
    },
  };
}
const schedulerOver = (cli: SlurmCli) => slurmScheduler({ rest: null, cli, reservation: { users: ["a", "b"], accounts: ["acc"] } });

describe("Slurm's own sentences", () => {
  it.each([
    [1, "", "slurm_update error: Invalid node name specified", "not_found"],
    [1, "Node nosuch not found\n", "", "not_found"],
    [1, "Reservation x not found\n", "", "not_found"],
    [1, "", "slurm_load_jobs error: Invalid job id specified", "not_found"],
    [1, "", "delete_reservation reservationname=x: Requested reservation is invalid", "not_found"],
    [1, "", "delete_reservation reservationname=x: Requested reservation is in use", "in_use"],
    [1, "", "slurm_update error: Invalid node state specified", "invalid_state"],
    [1, "", "Error creating the reservation: Duplicate reservation name", "invalid_state"],
    [1, "", "slurm_update error: Invalid user id", "denied"],
    [1, "", "scontrol_reboot_nodes error: Permission denied", "denied"],
    [210, "", "scancel: error: Kill job error on job id 6: Access/permission denied", "denied"],
    [1, "", "slurm_load_partitions: Unable to contact slurm controller (connect failure)", "unreachable"],
    [127, "", "sh: 1: scontrol: not found", "unreachable"],
    [1, "", "a sentence nobody knows", "refused"],
    [null, "", "", "refused"],
  ])("exit %s, %j%j is %s", (exitCode, stdout, stderr, code) => {
    expect(cliError(endOf(exitCode, stdout, stderr), "what")).toMatchObject({ code });
  });

  it("a good end is no error, a cut one is", () => {
    expect(cliError(endOf(0, "x"), "what")).toBeNull();
    expect(cliError(endOf(0, "x", "", true), "what")).toMatchObject({ code: "partial" });
  });
});

describe("which program is asked", () => {
  it.each([
    ["slurm-wlm 20.11.7", "scontrol --all -o show node", "scontrol --all -o show job"],
    ["slurm 21.08.8-2", "sinfo --all --json", "squeue --all --json"],
    ["slurm-wlm 22.05.8", "sinfo --all --json", "squeue --all --json"],
    ["slurm 23.02.6", "scontrol --all --json show nodes", "scontrol --all --json show jobs"],
    ["slurm 25.11.0-0rc1", "scontrol --all --json show nodes", "scontrol --all --json show jobs"],
  ])("%s", async (version, nodes, jobs) => {
    const { cli, ran } = programs({ "scontrol --version": endOf(0, `${version}\n`) });
    await schedulerOver(cli).listNodes();
    await schedulerOver(cli).listJobs();
    expect(ran).toEqual(["scontrol --version", nodes, "scontrol --version", jobs]);
  });

  it("R2.3: squeue that ends with 0 and errors[] lists nothing: an error, not no jobs", async () => {
    const body = '{"meta":{"plugin":{"type":"openapi/v0.0.38"}},"errors":[{"error":"Unable to contact slurm controller"}],"jobs":[]}';
    const { cli } = programs({ "scontrol --version": endOf(0, "slurm-wlm 22.05.8\n"), squeue: endOf(0, body) });
    expect((await schedulerOver(cli).listJobs()).ok).toBe(false);
  });

  it("R9.3: a node resumed inside a reservation is shown inside it at once; an answer that is none says nothing of any node", async () => {
    const node = "NodeName=gpu001 CPUAlloc=0 State=IDLE ThreadsPerCore=1 Partitions=train \n";
    const line = (name: string, start: string, state: string) =>
      `ReservationName=${name} StartTime=2026-11-30T${start} EndTime=2026-12-30T21:59:50 Nodes=gpu[001-002] Flags=MAINT State=${state} \n`;
    const seen = async (held: ShellEnd) => {
      const { cli } = programs({ "scontrol --version": endOf(0, "slurm 20.11.7\n"), scontrol: endOf(0, node), [HELD]: held });
      return [await schedulerOver(cli).listNodes(), await schedulerOver(cli).readNode("gpu001")];
    };
    const both = line("theirs", "20:00:00", "ACTIVE") + line("ours", "21:00:00", "ACTIVE") + line("later", "22:00:00", "INACTIVE");
    expect(await seen(endOf(0, both))).toMatchObject([
      { ok: true, value: { entries: [{ name: "gpu001", reservation: "ours" }] } },
      { ok: true, value: { reservation: "ours" } },
    ]);
    for (const answer of [endOf(0, ""), endOf(0, "hello\n"), endOf(1, "", "Unable to contact slurm controller"), endOf(0, both, "", true)])
      expect(await seen(answer)).toMatchObject([{ ok: false }, { ok: false }]);
  });

  it("20.11's text is read whole", async () => {
    const text = readFileSync("lib/parsers/samples/scontrol_show_node_20.11.txt", "utf8");
    const { cli } = programs({ "scontrol --version": endOf(0, "slurm 20.11.7\n"), scontrol: endOf(0, text) });
    const list = await schedulerOver(cli).listNodes();
    expect(list.ok && list.value.entries.length).toBeGreaterThan(0);
  });

  it("R3.6: a reservation and a job as one argument vector each, the script on standard input", async () => {
    const node = endOf(0, "NodeName=gpu001 CPUAlloc=0 State=IDLE ThreadsPerCore=1 Partitions=train,debug \n");
    const { cli, ran, fed } = programs({ "scontrol --all -o show node gpu001": node, scontrol: endOf(0), sbatch: endOf(0, "42;alpha\n") });
    const scheduler = schedulerOver(cli);
    expect(await scheduler.reserve({ name: "r", nodes: ["gpu001"], durationMs: 90_001 })).toEqual({ ok: true, value: undefined });
    expect(ran.at(-1)).toBe(
      "scontrol create reservation reservationname=r nodes=gpu001 flags=MAINT,IGNORE_JOBS users=a,b accounts=acc start=now duration=2",
    );
    const job = { name: "j", nodes: ["gpu001"], reservation: "r", script: "srun x\n", timeLimitMs: 600_000, output: "/tmp/o" };
    expect(await scheduler.submit(job)).toEqual({ ok: true, value: { jobId: "42" } });
    expect(ran.at(-1)).toBe(
      "sbatch --parsable --job-name=j --nodes=1 --nodelist=gpu001 --partition=train --reservation=r --time=10 --output=/tmp/o --chdir=/tmp --exclusive --mem=0 --no-requeue --account=acc",
    );
    expect(fed.at(-1)).toBe("#!/bin/sh\nsrun x\n");
  });

  it("an answer of sbatch without a job id is an error", async () => {
    const node = endOf(0, "NodeName=gpu001 CPUAlloc=0 State=IDLE ThreadsPerCore=1 Partitions=train \n");
    const { cli } = programs({ scontrol: node, sbatch: endOf(0, "welcome to our cluster\n") });
    const job = { name: "j", nodes: ["gpu001"], reservation: "r", script: "x", timeLimitMs: 1, output: "/tmp/o" };
    expect(await schedulerOver(cli).submit(job)).toMatchObject({ ok: false, error: { code: "unreadable" } });
  });
});

describe("how programs are run", () => {
  it("over a shell: quoted, in UTC, with the script piped in", async () => {
    const lines: string[] = [];
    const cli = cliOverShell(
      {
        run: async (host, command) => {
          expect(host).toEqual({ head: true });
          lines.push(command);
          return { ok: true, value: endOf(0) };
        },
      },
      quoteShell,
      { SLURM_CONF: "/etc/my slurm.conf" },
    );
    await cli.run(["scancel", "5"]);
    await cli.run(["sbatch", "it's"], "#!/bin/sh\necho '$x'\n");
    expect(lines[0]).toBe("env 'SLURM_CONF=/etc/my slurm.conf' 'TZ=UTC' 'SLURM_TIME_FORMAT=standard' 'LC_ALL=C' scancel 5 </dev/null");
    expect(lines[1]).toMatch(/^printf %s '#!\/bin\/sh\necho '\\''\$x'\\''\n' \| env .* sbatch 'it'\\''s'$/);
  });

  it("locally: arguments unchanged, standard input given, none of our environment", async () => {
    process.env["CLEARANCE_TEST_SECRET"] = "s3cret";
    const cli = cliOverLocal({ SLURM_CONF: "/x" });
    const end = await cli.run(["sh", "-c", 'printf "%s|" "$@"; cat; env', "sh", "a b", "$(id)", "'"], "fed");
    delete process.env["CLEARANCE_TEST_SECRET"];
    const said = end.ok ? Buffer.from(end.value.stdout).toString() : "";
    expect(said).toMatch(/^a b\|\$\(id\)\|'\|fed/);
    expect(said).toContain("SLURM_CONF=/x");
    expect(said).toContain("TZ=UTC");
    expect(said).not.toContain("s3cret");
  });

  it("locally: a missing program, a NUL and a hanging program are told", async () => {
    expect(await cliOverLocal({}).run(["no-such-program-here"])).toMatchObject({ ok: false, error: { code: "unreachable" } });
    expect(await cliOverLocal({}).run(["echo", "a\0b"])).toMatchObject({ ok: false, error: { code: "refused" } });
    expect(await cliOverLocal({}, 100).run(["sleep", "30"])).toMatchObject({ ok: false, error: { code: "timed_out" } });
    expect(await cliOverLocal({}).run(["true"], "x".repeat(5_000_000))).toMatchObject({ ok: true, value: { exitCode: 0 } });
  });
});

describe("texts of scontrol", () => {
  it("leaves are the switches of level 0", () => {
    const text =
      "SwitchName=leaf01 Level=0 LinkSpeed=1 Nodes=gpu[001-004]\nSwitchName=leaf02 Level=0 LinkSpeed=1 Nodes=gpu-b[1,3]\nSwitchName=spine01 Level=1 LinkSpeed=1 Nodes=gpu[001-004] Switches=leaf[01-02]\n";
    expect(readTopologyText(text)).toEqual({
      ok: true,
      value: [
        { leaf: "leaf01", nodes: ["gpu001", "gpu002", "gpu003", "gpu004"] },
        { leaf: "leaf02", nodes: ["gpu-b1", "gpu-b3"] },
      ],
    });
  });

  it.each([
    ["nothing", "", { ok: true, value: null }],
    ["no topology", "No topology information available\n", { ok: true, value: null }],
    [
      "a leaf with a name no switch has",
      `SwitchName=${"x".repeat(254)} Level=0 LinkSpeed=1 Nodes=a1\n`,
      { ok: false, error: { code: "unreadable" } },
    ],
    ["blocks", "BlockName=b1 BlockIndex=0 Nodes=gpu[001-004]\n", { ok: false, error: { code: "unsupported_version" } }],
    ["something else", "hello\n", { ok: false, error: { code: "unreadable" } }],
    ["a switch without level", "SwitchName=leaf01 Nodes=gpu001\n", { ok: false, error: { code: "unreadable" } }],
    ["a broken list", "SwitchName=leaf01 Level=0 Nodes=gpu[001-\n", { ok: false, error: { code: "unreadable" } }],
    ["only upper switches", "SwitchName=s Level=1 Nodes=gpu001\n", { ok: false, error: { code: "unreadable" } }],
  ])("topology: %s", (_title, text, wanted) => {
    expect(readTopologyText(text)).toMatchObject(wanted);
  });

  it("a reservation's line", () => {
    const line =
      "ReservationName=r StartTime=2026-11-30T21:59:50 EndTime=2026-12-30T21:59:50 Duration=30-00:00:00 Nodes=gpu[001-002] NodeCnt=2 Flags=MAINT,IGNORE_JOBS,SPEC_NODES TRES=cpu=32 Users=root Groups=(null) Accounts=(null) State=ACTIVE\n";
    expect(readReservationText(line, "r")).toEqual({
      ok: true,
      value: {
        name: "r",
        nodes: ["gpu001", "gpu002"],
        flags: ["MAINT", "IGNORE_JOBS", "SPEC_NODES"],
        endsAt: new Date("2026-12-30T21:59:50Z"),
        users: ["root"],
        accounts: [],
      },
    });
    expect(readReservationText(line, "other")).toMatchObject({ ok: false, error: { code: "unreadable" } });
    expect(readReservationText("", "r")).toMatchObject({ ok: false, error: { code: "unreadable" } });
  });
});

it.each([
  ["clearance:CH-1/gpu001", "scontrol reboot reason=clearance:CH-1/gpu001 gpu001"],
  ["clearance:CH-1/gpu001 : reboot issued", "scontrol reboot reason=clearance:CH-1/gpu001 gpu001"],
  ["fan noise, ticket 200 : reboot issued : reboot complete", "scontrol reboot reason=fan noise, ticket 200 gpu001"],
  ["please reboot issued hardware", "scontrol reboot reason=please reboot issued hardware gpu001"],
  ["reboot issued", "scontrol reboot gpu001"],
  [null, "scontrol reboot gpu001"],
])("R9.2: a reboot under the reason %j is ordered as %s", async (reason, line) => {
  const { cli, ran } = programs({ scontrol: endOf(0) });
  expect(await schedulerOver(cli).reboot("gpu001", reason)).toMatchObject({ ok: true });
  expect(ran).toEqual([line]);
});
