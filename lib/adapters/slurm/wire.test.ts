import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readJobs, readJobText, readNodes, readNodesText, serviceOfSinfo } from "./wire";

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
const sample = (name: string): Uint8Array => new Uint8Array(readFileSync(`lib/parsers/samples/${name}`));
const sampleText = (name: string): string => readFileSync(`lib/parsers/samples/${name}`, "utf8");
const meta = (version: string) => ({ plugin: { data_parser: `data_parser/${version}` } });
const number = (value: number | null, infinite = false) => ({ set: value !== null || infinite, infinite, number: value ?? 0 });

const node = (state: unknown, more: object = {}) => ({
  name: "gpu-a07",
  state,
  alloc_cpus: 0,
  gres: "gpu:h100:8(S:0-1)",
  partitions: ["gpu"],
  ...more,
});
const stateOf = (state: unknown, more: object = {}, version = "v0.0.43"): string => {
  const read = readNodes(bytes({ nodes: [node(state, more)], meta: meta(version), errors: [] }));
  return read.ok ? (read.value.nodes[0]?.state ?? "none") : read.error.because;
};

describe("formats 6.2: what the scheduler's words mean", () => {
  test.each<[unknown, object, string]>([
    [["IDLE"], {}, "in_service"],
    [["MIXED"], { alloc_cpus: 4 }, "in_service"],
    [["IDLE", "DRAIN"], {}, "drained"],
    [["IDLE", "DRAIN", "COMPLETING"], {}, "draining"],
    [["IDLE", "DRAIN"], { alloc_cpus: 2 }, "draining"],
    [["MIXED", "DRAIN"], { alloc_cpus: 2 }, "draining"],
    [["DOWN", "DRAIN", "REBOOT_ISSUED"], {}, "drained"],
    [["IDLE", "FAIL"], {}, "drained"],
    [["DOWN", "NOT_RESPONDING"], {}, "down"],
    [["IDLE", "NOT_RESPONDING"], {}, "unknown"],
    [["IDLE", "INVALID_REG"], {}, "down"],
    [["IDLE", "MAINTENANCE", "RESERVED"], {}, "in_service"],
    [["DOWN", "CLOUD", "DRAIN", "NOT_RESPONDING", "POWERED_DOWN"], {}, "powered_down"],
    [["IDLE", "CLOUD", "POWERING_DOWN"], {}, "powered_down"],
    [["FUTURE"], {}, "absent"],
    [["UNKNOWN"], {}, "unknown"],
    [["IDLE", "SOMETHING_NEW"], {}, "unknown"],
    [["DRAIN"], {}, "unknown"],
    [[], {}, "unknown"],
    ["idle", { state_flags: ["DRAIN"] }, "drained"],
    ["mixed", { state_flags: ["DRAIN"], alloc_cpus: 1 }, "draining"],
    ["IDLE*+CLOUD+POWER", {}, "powered_down"],
    ["DOWN*+CLOUD+POWER", {}, "down"],
    ["REBOOT*+DRAIN", {}, "drained"],
    ["IDLE~", {}, "powered_down"],
  ])("%j %j is %s", (state, more, service) => {
    expect(stateOf(state, more)).toBe(service);
  });

  test.each([
    ["drained", "drained"],
    ["draining", "draining"],
    ["down*", "down"],
    ["idle~", "powered_down"],
    ["maint", "in_service"],
    ["boot^", "down"],
  ])("sinfo's %s is %s", (word, service) => expect(serviceOfSinfo(word)).toBe(service));
});

describe("JSON of every data_parser", () => {
  test.each(Array.from({ length: 10 }, (_, index) => `v0.0.${36 + index}`))("%s is read", (version) => {
    expect(stateOf(["IDLE", "DRAIN"], { boot_time: number(1791014411) }, version)).toBe("drained");
  });

  test.each(["v0.0.99", "v0.0.35", "v0.1.40", "v1.0.40"])("case 21: %s is refused, without a guess", (version) => {
    for (const read of [
      readNodes(bytes({ nodes: [node(["IDLE"])], meta: meta(version) })),
      readJobs(bytes({ jobs: [], meta: meta(version) })),
    ])
      expect(read).toMatchObject({
        ok: false,
        error: { code: "unsupported_version", because: expect.stringContaining("unsupported scheduler JSON version") },
      });
  });

  test("an answer without a version needs the one that was asked for", () => {
    const answer = bytes({ nodes: [node("idle", { state_flags: [] })], errors: [] });
    expect(readNodes(answer)).toMatchObject({ ok: false, error: { code: "unsupported_version" } });
    expect(readNodes(answer, "v0.0.38")).toMatchObject({ ok: true, value: { version: "v0.0.38" } });
  });

  test("21.08: state beside flags, features as one text", () => {
    const read = readNodes(sample("sinfo_v0.0.37_nodes_old.json"));
    expect(read).toMatchObject({
      ok: true,
      value: {
        version: "v0.0.37",
        nodes: [
          {
            name: "gpu-b01",
            state: "draining",
            words: ["MIXED", "DRAIN"],
            reason: "firmware window",
            reasonBy: "root",
            gpus: 4,
            allocatedCpus: 40,
            features: ["v100"],
          },
        ],
      },
    });
  });

  test("errors[] beats the list beside it: never 'no nodes', never half of them", () => {
    expect(readNodes(sample("scontrol_show_nodes_error_v0.0.43.json"))).toMatchObject({ ok: false, error: { code: "denied" } });
    const half = readNodes(bytes({ nodes: [node(["IDLE"])], meta: meta("v0.0.43"), errors: [{ error: "x", error_code: -1 }] }));
    expect(half).toMatchObject({ ok: false, error: { code: "partial" } });
    for (const key of ["errno", "error_code", "error_number"])
      expect(
        readNodes(bytes({ nodes: [], meta: meta("v0.0.38"), errors: [{ error: "Invalid node name specified", [key]: 2018 }] })),
      ).toMatchObject({ error: { code: "not_found" } });
  });

  test.each<[string, unknown]>([
    ["an empty list of nodes", { nodes: [], meta: meta("v0.0.43"), errors: [] }],
    ["no list at all", { meta: meta("v0.0.43"), errors: [] }],
    ["a node without its CPUs", { nodes: [{ name: "a", state: ["IDLE"] }], meta: meta("v0.0.43") }],
    ["a node listed twice", { nodes: [node(["IDLE"]), node(["DOWN"])], meta: meta("v0.0.43") }],
    ["a state that is a number", { nodes: [node(5)], meta: meta("v0.0.43") }],
    ["a list", []],
    ["text", "Authentication failure"],
    ["a cut document", JSON.stringify({ nodes: [node(["IDLE"])], meta: meta("v0.0.43") }).slice(0, 60)],
  ])("%s is an error", (_name, document) => {
    expect(readNodes(bytes(document)).ok).toBe(false);
  });
});

describe("jobs", () => {
  const job = (id: number, state: unknown, more: object = {}) => ({
    job_id: id,
    name: "train",
    user_name: "u",
    job_state: state,
    nodes: "",
    ...more,
  });
  const jobs = (list: object[], version = "v0.0.43") => {
    const read = readJobs(bytes({ jobs: list, meta: meta(version), errors: [] }));
    if (!read.ok) throw new Error(read.error.because);
    return read.value.jobs;
  };
  const busy = (list: ReturnType<typeof jobs>) =>
    [...new Set(list.filter((one) => one.phase === "active").flatMap((one) => one.nodes))].sort();

  test("case 21: a text as state", () => {
    const read = readJobs(sample("squeue_v0.0.39_job_state_string.json"));
    expect(read.ok && busy([...read.value.jobs])).toEqual(["gpu-b01"]);
  });

  test("case 21: lists as states; finished jobs hold nothing, an infinite limit is not 0", () => {
    const list = jobs([
      job(8101, ["RUNNING"], {
        nodes: "gpu-[a08-a09]",
        time_limit: number(60),
        start_time: number(1794900000),
        end_time: number(1794903600),
      }),
      job(8102, ["COMPLETED"], { nodes: "gpu-a10", exit_code: { return_code: number(0), signal: { id: number(null) } } }),
      job(8103, ["CANCELLED", "COMPLETING"], { nodes: "gpu-[a13-a15]" }),
      job(8104, ["RUNNING"], { nodes: "gpu-a16", time_limit: number(0, true) }),
      job(8105, ["PENDING"]),
    ]);
    expect(busy(list)).toEqual(["gpu-a08", "gpu-a09", "gpu-a13", "gpu-a14", "gpu-a15", "gpu-a16"]);
    expect(list.map((one) => one.phase)).toEqual(["active", "ended", "active", "active", "waiting"]);
    expect(list[3]?.endsAt).toBe("no_limit");
    expect(list[0]?.endsAt).toEqual(new Date(1794903600_000));
  });

  test.each<[unknown, string]>([
    [["SUSPENDED"], "active"],
    [["CONFIGURING"], "active"],
    [["RUNNING", "COMPLETING"], "active"],
    [["STOPPED"], "active"],
    [["PENDING", "REQUEUED"], "waiting"],
    ["TIMEOUT", "ended"],
    [["NODE_FAIL"], "ended"],
    [["A_NEW_WORD"], "active"],
    [[], "active"],
  ])("%j is %s: what nobody knows may hold a node", (state, phase) => {
    expect(jobs([job(1, state)])[0]?.phase).toBe(phase);
  });

  test("exit codes of old and new releases, requeues, unlimited as null up to 22.05", () => {
    const [old, killed] = jobs([job(1, "FAILED", { exit_code: 768, restart_cnt: 2 }), job(2, "FAILED", { exit_code: 9 })], "v0.0.38");
    expect([old?.exitCode, old?.signal, old?.requeues]).toEqual([3, null, 2]);
    expect([killed?.exitCode, killed?.signal]).toEqual([0, 9]);
    const [newer] = jobs([
      job(1, ["FAILED"], { exit_code: { return_code: number(3), signal: { id: number(9) } }, restart_cnt: number(1) }),
    ]);
    expect([newer?.exitCode, newer?.signal, newer?.requeues]).toEqual([3, 9, 1]);
    expect(jobs([job(1, "RUNNING", { time_limit: null, end_time: 0 })], "v0.0.38")[0]?.endsAt).toBe("no_limit");
    expect(jobs([job(1, ["RUNNING"], { time_limit: number(null) })])[0]?.endsAt).toBeNull();
  });

  test("a host list that cannot be read refuses the answer and names the job", () => {
    const read = readJobs(bytes({ jobs: [job(7, ["RUNNING"], { nodes: "gpu[1-" })], meta: meta("v0.0.43") }));
    expect(read).toMatchObject({ ok: false, error: { because: expect.stringContaining("job 7") } });
  });
});

describe("text", () => {
  const nodes = (text: string, zone?: string | null) => {
    const read = readNodesText(text, zone);
    if (!read.ok) throw new Error(read.error.because);
    return read.value.nodes;
  };

  test("25.05: reasons over several lines, and a text inside that looks like a key", () => {
    const [a07, a08, a09] = nodes(sampleText("scontrol_show_node_25.05.txt"));
    expect(a07).toMatchObject({
      state: "drained",
      reason: "image roll plan=P-0042 batch=3 owner=shift-b",
      reasonBy: "root",
      gpus: 8,
      partitions: ["gpu", "maint"],
    });
    expect(a08).toMatchObject({ state: "draining", reservation: "maint_nov", allocatedCpus: 96 });
    expect(a08?.reason).toContain("State=looks-like-a-key");
    expect(a09).toMatchObject({ state: "powered_down", bootedAt: null, responding: false });
    expect(a07?.bootedAt).toEqual(new Date("2026-11-16T22:40:51Z"));
  });

  test("20.11: symbols and POWER", () => {
    expect(nodes(sampleText("scontrol_show_node_20.11.txt")).map((one) => [one.name, one.state, one.responding])).toEqual([
      ["gpu-b01", "draining", true],
      ["gpu-b02", "down", false],
    ]);
  });

  test("one line for each node says the same", () => {
    const line =
      "NodeName=gpu1 CPUAlloc=0 Gres=gpu:h100:8 OS=Linux #1 SMP State=DOWN RealMemory=1 State=IDLE+DRAIN ThreadsPerCore=1 Partitions=gpu BootTime=2026-07-01T10:00:00 Reason=a State=IDLE b [root@2026-07-01T11:00:00] Comment=x\n";
    expect(nodes(line, "Europe/Berlin")[0]).toMatchObject({
      state: "drained",
      reason: "a State=IDLE b",
      bootedAt: new Date("2026-07-01T08:00:00Z"),
      reasonAt: new Date("2026-07-01T09:00:00Z"),
    });
    expect(nodes(line, null)[0]?.bootedAt).toBeNull();
    expect(nodes(line.replace("2026-07-01T10:00:00", "2026-10-25T02:30:00"), "Europe/Berlin")[0]?.bootedAt).toBeNull();
  });

  test("cut inside a record, foreign or missing is an error", () => {
    const text = sampleText("scontrol_show_node_25.05.txt");
    const ends = new Set([...text.matchAll(/\n\n(?=NodeName=)/g)].map((match) => match.index + 2));
    for (let length = 0; length < text.trimEnd().length; length += 7)
      if (!ends.has(length)) expect(readNodesText(text.slice(0, length)).ok, String(length)).toBe(false);
    expect(readNodesText("Node gpu9 not found\n")).toMatchObject({ ok: false, error: { code: "not_found" } });
    expect(readNodesText("slurm_load_node error: Unable to contact slurm controller\n").ok).toBe(false);
  });

  const JOB =
    "JobId=3 JobName=ex3 UserId=root(0) GroupId=root(0) JobState=FAILED Reason=NonZeroExitCode Requeue=1 Restarts=1 ExitCode=3:0 RunTime=00:00:01 TimeLimit=01:00:00 StartTime=2026-11-30T22:04:35 EndTime=2026-11-30T22:04:36 NodeList=gpu[002-003] NumNodes=2\n";

  test("scontrol show job, and a job whose name looks like its state", () => {
    expect(readJobText(JOB)).toMatchObject({
      ok: true,
      value: {
        jobs: [
          {
            id: "3",
            name: "ex3",
            user: "root",
            phase: "ended",
            exitCode: 3,
            signal: null,
            requeues: 1,
            nodes: ["gpu002", "gpu003"],
            endedAt: new Date("2026-11-30T22:04:36Z"),
          },
        ],
      },
    });
    const forged = readJobText(JOB.replace("ex3", "x JobState=COMPLETED y"));
    expect(forged).toMatchObject({ ok: false, error: { because: expect.stringContaining("JobState= appears more than once") } });
    expect(readJobText("No jobs in the system\n")).toMatchObject({ ok: true, value: { jobs: [] } });
    expect(readJobText("slurm_load_jobs error: Invalid job id specified\n")).toMatchObject({ ok: false, error: { code: "not_found" } });
    const endless = JOB.replace("FAILED", "RUNNING").replace("01:00:00", "UNLIMITED");
    expect(readJobText(endless)).toMatchObject({ value: { jobs: [{ phase: "active", endsAt: "no_limit" }] } });
  });
});
