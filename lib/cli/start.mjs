#!/usr/bin/env node
// `npm start`: everything on one machine. Plain JavaScript, so that an old Node gets a sentence instead of a stack trace.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Clearance needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
const { register } = await import("tsx/esm/api");
register();
const { runStart } = await import("./start/run-start.ts");
process.exit(await runStart(process.argv.slice(2), process.env));
