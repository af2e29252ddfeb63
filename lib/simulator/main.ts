/** `node --import tsx lib/simulator/main.ts --state DIR [--port P] [--factor N] [--world FILE]`: one data centre until SIGTERM. SIMULATOR_CLOCK_URL: database whose clock it follows. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { startSimulator, type Simulator, type SimulatorOptions } from "./simulator";

const USAGE = "usage: [SIMULATOR_CLOCK_URL=DATABASE_URL] main.ts --state DIR [--port P] [--factor N] [--world FILE]";

async function main(): Promise<void> {
  const options = readOptions();
  let simulator: Simulator | null = null;
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void (simulator?.stop() ?? Promise.resolve()).finally(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  simulator = await startSimulator(options);
  process.stdout.write(
    `${JSON.stringify({ ready: true, controlUrl: simulator.controlUrl, directory: `${options.stateDir}/directory.json` })}\n`,
  );
}

function readOptions(): SimulatorOptions {
  const names = ["state", "port", "factor", "world"] as const;
  const { values } = parseArgs({ options: Object.fromEntries(names.map((name) => [name, { type: "string" as const }])) });
  const text = (name: (typeof names)[number]): string | undefined => (typeof values[name] === "string" ? values[name] : undefined);
  const number = (name: "port" | "factor", highest: number): number | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(value) || Number(value) <= 0 || Number(value) > highest)
      throw new Error(`--${name}: a number up to ${highest} is expected, not "${value}"`);
    return Number(value);
  };
  const stateDir = text("state");
  if (stateDir === undefined) throw new Error(USAGE);
  const [port, factor, world] = [number("port", 65_000), number("factor", 100_000), text("world")];
  // In the environment, because an argument is read by everybody on the machine and this one holds a password.
  const clockUrl = process.env["SIMULATOR_CLOCK_URL"] || undefined;
  return {
    stateDir,
    ...(port === undefined ? {} : { port }),
    ...(factor === undefined ? {} : { factor }),
    ...(clockUrl === undefined ? {} : { clockUrl }),
    ...(world === undefined ? {} : { world: JSON.parse(readFileSync(world, "utf8")) as unknown }),
  };
}

main().catch((cause: unknown) => {
  process.stderr.write(`simulator: ${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exit(1);
});
