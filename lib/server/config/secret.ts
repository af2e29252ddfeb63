import { readFileSync, statSync } from "node:fs";
import { z } from "zod";

/** A secret is never written into the configuration: it stands in a variable (`${NAME}`) or in a file. */
const FromVariable = z
  .string()
  .regex(/^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/, "a secret is written as ${NAME} (an environment variable) or {file: path}");
const FromFile = z.strictObject({ file: z.string().min(1).max(4096) });

/** Where a secret comes from, as the configuration names it. */
export const SecretSource = z.union([FromVariable.transform((text) => ({ variable: text.slice(2, -1) })), FromFile]);
export type SecretSource = z.infer<typeof SecretSource>;

/** Thrown when a secret cannot be had at the moment it is needed; names the place, never the secret. */
export class SecretMissing extends Error {}

/** More than any token or key has. */
const MAX_BYTES = 65_536;

/**
 * The secret itself, without the line end that editors add. Files are read at every call, because tokens are renewed in place. Keep the result as
 * short as possible and never log it.
 */
export function readSecret(source: SecretSource, env: Readonly<Record<string, string | undefined>>): string {
  if ("variable" in source) {
    const value = env[source.variable];
    if (value === undefined || value === "") throw new SecretMissing(`The environment variable ${source.variable} is not set.`);
    return value;
  }
  try {
    const about = statSync(source.file);
    // A pipe that nobody writes to would hold everything up, a device would never end.
    const because = !about.isFile() ? "it is not a file" : about.size > MAX_BYTES ? `it has more than ${MAX_BYTES} bytes` : null;
    if (because !== null) throw new Error(because);
    const text = readFileSync(source.file, "utf8").trimEnd();
    if (text !== "") return text;
  } catch (cause) {
    throw new SecretMissing(`The file ${source.file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`, {
      cause,
    });
  }
  throw new SecretMissing(`The file ${source.file} is empty.`);
}
