import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";

import { z } from "zod";

import { MAX_DOCUMENT_BYTES } from "@/lib/core/kernel/document-tree";

import { readConfig } from "@/lib/server/config/read-config";
import { readSecret, type SecretSource } from "@/lib/server/config/secret";
import { type SiteConfig } from "@/lib/server/config/site-config";

/** What the surroundings say: the process's variables and `clearance.yaml`, read once and validated. */
export type Env = {
  readonly databaseUrl: string;
  readonly port: number;
  /** Folder for everything that is kept beside the database; absolute. */
  readonly dataDir: string;
  /** Simulated data centre and demo people; listens on loopback only. */
  readonly demo: boolean;
  /** Signs session cookies. */
  readonly authSecret: string;
  readonly config: SiteConfig;
  /** The value of a secret, read at each call. Throws `SecretMissing`. */
  readonly secret: (source: SecretSource) => string;
};

/** The surroundings are unusable; the message is what a person has to mend, one line per fault. */
export class BadEnvironment extends Error {}

type Variables = Readonly<Record<string, string | undefined>>;

const Settings = z.object({
  DATABASE_URL: z
    .string({ error: "is not set; npm start sets it for the embedded database" })
    .regex(/^postgres(ql)?:\/\//, "must be a postgresql:// address"),
  PORT: z.coerce.number({ error: "must be a port" }).int().min(1, "must be a port").max(65_535, "must be a port").default(3000),
  CLEARANCE_DATA: z.string().min(1).default(".clearance"),
  CLEARANCE_CONFIG: z.string({ error: "is not set; npm start sets it for the demo" }).min(1),
  CLEARANCE_DEMO: z.enum(["0", "1"], "must be 0 or 1").default("0"),
  CLEARANCE_AUTH_SECRET: z
    .string({ error: "is not set; npm start makes one in the data folder" })
    .min(32, "must have at least 32 characters"),
});

let loaded: Env | null = null;

/** The surroundings of this process. Rejects with `BadEnvironment`. */
export async function loadEnv(): Promise<Env> {
  loaded ??= readEnv(process.env);
  return loaded;
}

/** The same from given variables, for tests and for the start. Opens the configuration file that `CLEARANCE_CONFIG` names. */
export function readEnv(variables: Variables): Env {
  const settings = Settings.safeParse(variables);
  if (!settings.success) {
    throw new BadEnvironment(settings.error.issues.map(({ path, message }) => `${path.join(".")} ${message}.`).join("\n"));
  }
  const { DATABASE_URL, PORT, CLEARANCE_DATA, CLEARANCE_CONFIG, CLEARANCE_DEMO, CLEARANCE_AUTH_SECRET } = settings.data;
  return {
    databaseUrl: DATABASE_URL,
    port: PORT,
    dataDir: resolve(CLEARANCE_DATA),
    demo: CLEARANCE_DEMO === "1",
    authSecret: CLEARANCE_AUTH_SECRET,
    config: readConfigFile(CLEARANCE_CONFIG, variables),
    secret: (source) => readSecret(source, variables),
  };
}

/** Reads `clearance.yaml` at `path`. Throws `BadEnvironment` with one `file:line: path: fault` line each. */
export function readConfigFile(path: string, variables: Variables): SiteConfig {
  const config = readConfig(textOf(path), variables);
  if (config.ok) return config.value;
  throw new BadEnvironment(
    config.error.map((problem) => `${path}:${problem.line}: ${problem.path === "" ? "" : `${problem.path}: `}${problem.text}`).join("\n"),
  );
}

/** A pipe or a device would be waited for, or read, for ever: only a file of a sensible size is opened. */
function textOf(path: string): string {
  const refused = (because: string, cause?: unknown) =>
    new BadEnvironment(`The configuration ${path} cannot be read: ${because}.`, { cause });
  try {
    const about = statSync(path);
    if (!about.isFile()) throw refused("it is not a file");
    // Somebody's image or log is not even opened; what is only too long is told with its place by whoever reads it.
    if (about.size > 4 * MAX_DOCUMENT_BYTES) throw refused(`it has ${about.size} bytes, at most ${MAX_DOCUMENT_BYTES} are read`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path));
  } catch (cause) {
    if (cause instanceof BadEnvironment) throw cause;
    if (cause instanceof TypeError) throw refused("it is not UTF-8 text", cause);
    const because = cause instanceof Error && "code" in cause && cause.code === "ENOENT" ? "there is no such file" : String(cause);
    throw refused(because, cause);
  }
}
