/** Answers what stand-ins ask: files in one folder, so that a request survives a crash of the simulator and is carried out once. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, unlinkSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { DataCentre } from "@/lib/simulator/data-centre";
import { isProgram, runProgram } from "@/lib/simulator/slurm/programs";
import type { Output } from "@/lib/simulator/slurm/desk";

import { machineDeed } from "./machine-deeds";
import type { SitePaths } from "./site-paths";

type Spool = { readonly sweep: () => void; readonly stop: () => void };

export function openSpool(centre: DataCentre, paths: SitePaths): Spool {
  mkdirSync(paths.spool, { recursive: true, mode: 0o700 });
  const sweep = (): void => {
    for (const name of readdirSync(paths.spool)) if (name.endsWith(".req")) answer(centre, join(paths.spool, name.slice(0, -4)));
  };
  const watcher = watch(paths.spool, (_event, name) => {
    if (name?.endsWith(".req")) sweep();
  });
  watcher.on("error", () => {}); // without notices the sweep of every tick is enough
  sweep();
  return { sweep, stop: () => watcher.close() };
}

function answer(centre: DataCentre, request: string): void {
  if (!existsSync(`${request}.req`)) return;
  const [cluster = "", node = "", workDir = "", what = "", ...args] = readFileSync(`${request}.req`, "utf8").split("\0").slice(0, -1);
  const stdin = existsSync(`${request}.stdin`) ? readFileSync(`${request}.stdin`, "utf8") : "";
  const ticket = request.split("/").at(-1) ?? "";
  const [program = "", ...argv] = args;
  const desk = { centre, cluster, user: "clearance", workDir, via: "scontrol" } as const;
  const output: Output =
    what === "slurm" && isProgram(program)
      ? runProgram(desk, program, argv, stdin)
      : machineDeed(centre, { cluster, node, what, args, ticket });
  writeFileSync(`${request}.out`, output.out);
  writeFileSync(`${request}.err`, output.err);
  writeFileSync(`${request}.ack.new`, `${output.code}\n`);
  renameSync(`${request}.ack.new`, `${request}.ack`);
  for (const suffix of [".req", ".stdin"]) if (existsSync(request + suffix)) unlinkSync(request + suffix);
}
