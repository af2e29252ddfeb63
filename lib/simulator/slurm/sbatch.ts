/** `sbatch` and `scancel`. Options come from the command line, then from `#SBATCH` lines. */
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";

import type { JobRequest } from "@/lib/simulator/world/job-transitions";
import { expandHosts } from "@/lib/simulator/world/hostlist";
import { REFUSALS } from "@/lib/simulator/world/refusal";

import { act, failed, isDown, said, UNREACHABLE, type Desk, type Output } from "./desk";
import { readDuration } from "./slurm-time";

const MAX_SCRIPT = 4 * 1024 * 1024;
const SHORT: Record<string, string> = {
  w: "nodelist",
  J: "job-name",
  p: "partition",
  A: "account",
  t: "time",
  o: "output",
  e: "error",
  N: "nodes",
  n: "ntasks",
  c: "cpus-per-task",
  D: "chdir",
  G: "gpus",
};
const WITHOUT_VALUE = ["parsable", "exclusive", "requeue", "no-requeue", "hold", "quiet"];
const WITH_VALUE = [
  ...Object.values(SHORT),
  "reservation",
  "wrap",
  "gres",
  "gpus-per-node",
  "ntasks-per-node",
  "mem",
  "comment",
  "export",
  "qos",
  "constraint",
  "open-mode",
];

export function runSbatch(desk: Desk, argv: readonly string[], stdin: string): Output {
  const command = readOptions(argv);
  if (typeof command === "string") return failed(`sbatch: ${command}\nTry "sbatch --help" for more information`);
  const script = scriptOf(desk, command, stdin);
  if (typeof script !== "string") return script;
  if (script.trim() === "") return failed("sbatch: error: Batch script is empty!");
  if (!script.startsWith("#!")) {
    return failed(
      "sbatch: error: This does not look like a batch script.  The first\nsbatch: error: line must start with #! followed by the path to an interpreter.\nsbatch: error: For instance: #!/bin/sh",
    );
  }
  const inScript = readOptions(directives(script));
  if (typeof inScript === "string") return failed(`sbatch: ${inScript}\nTry "sbatch --help" for more information`);
  const options = new Map([...inScript.options, ...command.options]);
  if (isDown(desk)) return failed(`sbatch: error: Batch job submission failed: ${UNREACHABLE}`);
  const request = requestOf(desk, options, { script, file: command.rest[0] });
  if (request === null) return failed(`sbatch: error: Batch job submission failed: ${REFUSALS.invalidNode.text}`);
  const { refused, value } = submitJob(desk, request);
  if (refused !== null) {
    const first = refused === REFUSALS.invalidPartition.text ? `sbatch: error: invalid partition specified: ${request.partition}\n` : "";
    return failed(`${first}sbatch: error: Batch job submission failed: ${refused}`);
  }
  return said(options.has("parsable") ? `${value}\n` : `Submitted batch job ${value}\n`);
}

/** The same path for `sbatch` and REST. */
export function submitJob(desk: Desk, request: JobRequest): { refused: string | null; errno: number; value: string | null } {
  const node = request.required?.length === 1 ? request.required[0] : undefined;
  const detail = `${request.name}${request.reservation ? ` reservation=${request.reservation}` : ""}`;
  const { refused, value } = act(
    desk,
    { type: "submit", cluster: desk.cluster, job: request },
    { what: "submit", node, detail, named: request.name },
  );
  return { refused: refused?.text ?? null, errno: refused?.errno ?? 0, value };
}

export function runScancel(desk: Desk, argv: readonly string[]): Output {
  if (isDown(desk)) return failed(`scancel: error: slurm_kill_job2() failed ${UNREACHABLE}`);
  const ids = argv.filter((word) => !word.startsWith("-"));
  for (const word of ids) {
    if (!/^\d{1,10}$/.test(word)) return failed(`scancel: error: Invalid job id ${word}`);
    const { refused } = act(desk, { type: "cancel", cluster: desk.cluster, id: Number(word) }, { what: "cancel", detail: word });
    if (refused?.errno === REFUSALS.alreadyDone.errno) return failed(`scancel: error: Kill job error on job id ${word}: ${refused.text}`);
  }
  return said(""); // an unknown id is silence and exit 0, as measured
}

function requestOf(desk: Desk, options: Map<string, string>, from: { script: string; file: string | undefined }): JobRequest | null {
  const workDir = options.get("chdir") ?? desk.workDir;
  const required = options.has("nodelist") ? expandHosts(options.get("nodelist") ?? "") : [];
  if (required === null) return null;
  const output = options.get("output") ?? "slurm-%j.out";
  const gpus = options.get("gpus-per-node") ?? options.get("gpus");
  const limitS = readDuration(options.get("time") ?? "60");
  return {
    name: options.get("job-name") ?? from.file?.split("/").at(-1) ?? (options.has("wrap") ? "wrap" : "sbatch"),
    user: desk.user,
    account: options.get("account") ?? "",
    ...(options.has("partition") ? { partition: options.get("partition") ?? "" } : {}),
    required,
    nodeCount: Math.max(1, required.length, Number.parseInt(options.get("nodes") ?? "1", 10) || 1),
    reservation: options.get("reservation") ?? null,
    limitS: limitS === undefined ? 3600 : limitS === 0 ? null : limitS,
    runS: null,
    script: from.script,
    output: isAbsolute(output) ? output : join(workDir, output),
    workDir,
    command: from.file ?? "",
    gres: options.get("gres") ?? (gpus === undefined ? "" : `gpu:${gpus}`),
  };
}

type Parsed = { options: Map<string, string>; rest: string[] };

function scriptOf(desk: Desk, parsed: Parsed, stdin: string): string | Output {
  const wrap = parsed.options.get("wrap");
  if (wrap !== undefined) return `#!/bin/sh\n# This script was created by sbatch --wrap.\n\n${wrap}\n`;
  const [file] = parsed.rest;
  try {
    const text = file === undefined ? stdin : readFileSync(isAbsolute(file) ? file : join(desk.workDir, file), "utf8");
    return text.length > MAX_SCRIPT ? failed("sbatch: error: Batch job submission failed: Job script is too large") : text;
  } catch {
    return failed(`sbatch: error: Unable to open file ${file}`); // whatever the reason, sbatch says only this
  }
}

function directives(script: string): string[] {
  const lines = script.split("\n").filter((line) => line.startsWith("#SBATCH"));
  return lines.flatMap((line) =>
    line
      .slice(7)
      .trim()
      .split(/\s+/)
      .filter((word) => word !== ""),
  );
}

/** A text says what is wrong. Options end at the first other word: the script's file. */
function readOptions(argv: readonly string[]): Parsed | string {
  const options = new Map<string, string>();
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? "";
    if (!word.startsWith("-")) return { options, rest: argv.slice(i) };
    const long = /^--([a-z-]+)(?:=([\s\S]*))?$/.exec(word);
    const short = /^-([A-Za-z])([\s\S]*)$/.exec(word);
    const name = long?.[1] ?? SHORT[short?.[1] ?? ""] ?? (word === "-H" ? "hold" : "");
    if (WITHOUT_VALUE.includes(name)) options.set(name, "");
    else if (WITH_VALUE.includes(name)) {
      const inline = long === null ? short?.[2] : long[2];
      const value = inline === undefined || (long === null && inline === "") ? argv[++i] : inline;
      if (value === undefined) return `option '${word}' requires an argument`;
      options.set(name, value);
    } else return `unrecognized option '${word}'`;
  }
  return { options, rest: [] };
}
