import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { CannotStart } from "./cannot-start";

/** How this start was asked for. Folders are absolute. */
export type Settings = {
  /** The project: where package.json is. */
  readonly root: string;
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** A database of the site's own; null: the embedded one. */
  readonly databaseUrl: string | null;
  /** `clearance.yaml`; null: the demo. */
  readonly configFile: string | null;
  /** Whether the demo is filled with changes in the background. */
  readonly demoContent: boolean;
  /** `next dev` instead of a production build. */
  readonly dev: boolean;
};

const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** Throws `CannotStart` for what does not go together. Makes the data folder. */
export function readSettings(argv: readonly string[], env: NodeJS.ProcessEnv, root: string): Settings {
  const unknown = argv.filter((word) => word !== "--dev");
  if (unknown.length > 0) throw new CannotStart(`"${unknown[0]}" is not an option of the start; there is only --dev.`);
  const port = env.PORT === undefined || env.PORT === "" ? 3000 : Number(env.PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new CannotStart(`PORT must be a number from 1 to 65535, not "${env.PORT}".`);
  const databaseUrl = env.DATABASE_URL || null;
  if (databaseUrl !== null && (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl))) {
    throw new CannotStart("DATABASE_URL must be a postgresql:// address, for example postgresql://user@host:5432/clearance.");
  }
  const configFile = configFileOf(env, root);
  const host = env.HOST || "127.0.0.1";
  if (configFile === null && !LOOPBACK.has(host)) {
    throw new CannotStart(`The demo listens on loopback only: unset HOST (now "${host}"), or give a configuration with CLEARANCE_CONFIG.`);
  }
  const dataDir = resolve(root, env.CLEARANCE_DATA || ".clearance");
  makeDataDir(dataDir);
  return {
    root,
    dataDir,
    host,
    port,
    databaseUrl,
    configFile,
    demoContent: configFile === null && demoContentOf(env),
    dev: argv.includes("--dev"),
  };
}

function demoContentOf({ CLEARANCE_DEMO_CONTENT: asked }: NodeJS.ProcessEnv): boolean {
  if (asked !== undefined && !["", "on", "off"].includes(asked))
    throw new CannotStart(`CLEARANCE_DEMO_CONTENT must be on or off, not "${asked}".`);
  return asked !== "off";
}

function configFileOf(env: NodeJS.ProcessEnv, root: string): string | null {
  if (env.CLEARANCE_CONFIG) return resolve(root, env.CLEARANCE_CONFIG);
  const beside = join(root, "clearance.yaml");
  return existsSync(beside) ? beside : null;
}

function makeDataDir(dataDir: string): void {
  try {
    makeFolders(join(dataDir, "logs"));
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new CannotStart(`The data folder ${dataDir} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
  }
}

/** Folder by folder from the nearest one that is there: `recursive` goes on for ever where making one fails although its parent exists, as in /proc. */
function makeFolders(path: string): void {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  for (const folder of missing) {
    try {
      mkdirSync(folder);
    } catch (cause) {
      // A second start may have made it meanwhile.
      if (!existsSync(folder)) throw cause;
    }
  }
}

/** A secret of this installation, made once and kept in a file that only its owner reads. */
export function keptSecret(dataDir: string, name: string, make: () => string): string {
  const file = join(dataDir, name);
  if (existsSync(file)) {
    const kept = readFileSync(file, "utf8").trim();
    if (kept !== "") return kept;
  }
  const secret = make();
  writeFileSync(file, `${secret}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
  return secret;
}
