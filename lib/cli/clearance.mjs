#!/usr/bin/env node
// The clearance command: finds the sub-command and hands it the rest of the line.
import { register } from "tsx/esm/api";

register();
const { readWithin } = await import("./read-within.ts");
const { runClearance } = await import("./run-clearance.ts");
process.exitCode = await runClearance(process.argv.slice(2), {
  readFile: (path) => readWithin(path),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  env: process.env,
});
