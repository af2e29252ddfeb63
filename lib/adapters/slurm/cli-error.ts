import type { ShellEnd } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";
import { printable } from "./names";

/** Slurm's own sentences, in the words that stayed the same from 20.11 to 25.11. First match wins. */
const SENTENCES: readonly (readonly [RegExp, SourceError["code"]])[] = [
  [/Unable to contact slurm controller|connect failure|Connection refused|Zero Bytes were transmitted|Socket timed out/i, "unreachable"],
  [
    /Protocol authentication error|Munge (en|de)code failed|Access\/permission denied|Access denied|Permission denied|Invalid user id|Request denied/i,
    "denied",
  ],
  [/reservation is in use/i, "in_use"],
  [/Invalid node name specified|Invalid job id specified|Requested reservation is invalid|\bnot found\b/i, "not_found"],
  [/Invalid node state specified|Job\/step already completing or completed|Duplicate reservation name/i, "invalid_state"],
];

/** The code for one of Slurm's error sentences, whether it came by a program or over REST. Anything unknown is `refused`. */
export function codeOfSentence(sentence: string): SourceError["code"] {
  return SENTENCES.find(([pattern]) => pattern.test(sentence))?.[1] ?? "refused";
}

/** Why a program's answer cannot be used; null when it ended well. */
export function cliError(end: ShellEnd, what: string): SourceError | null {
  if (end.truncated) return { code: "partial", because: `${what}: the output was longer than the limit and was cut.` };
  if (end.exitCode === 0) return null;
  const stderr = Buffer.from(end.stderr).toString("utf8").trim();
  const said = printable(stderr === "" ? Buffer.from(end.stdout).toString("utf8").trim() : stderr, 400);
  if (end.exitCode === 127) return { code: "unreachable", because: `${what}: the program was not found (${said}).` };
  const ended = end.exitCode === null ? `ended by ${end.signal ?? "a signal"}` : `exit ${end.exitCode}`;
  return { code: codeOfSentence(said), because: `${what}: ${said === "" ? "no message" : said} (${ended}).` };
}
