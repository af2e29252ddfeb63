import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";

const NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,252}$/;
/** To Slurm these are not one node: ALL is every node of the cluster. */
const WORDS_FOR_MANY = new Set(["all", "default"]);

/** One node, reservation or account, exactly: no hostlist, no ALL, nothing that could be read as an option. */
export function checkName(kind: string, name: string): Result<string, SourceError> {
  if (NAME.test(name) && !WORDS_FOR_MANY.has(name.toLowerCase())) return ok(name);
  return err({
    code: "refused",
    because: `${printable(JSON.stringify(name), 300)} is not one ${kind}'s name; nothing was asked of the scheduler.`,
  });
}

export function checkNames(kind: string, names: readonly string[]): Result<string, SourceError> {
  if (names.length === 0) return err({ code: "refused", because: `No ${kind} was named; nothing was asked of the scheduler.` });
  for (const name of names) {
    const checked = checkName(kind, name);
    if (!checked.ok) return checked;
  }
  return ok(names.join(","));
}

export function checkJobId(id: string): Result<string, SourceError> {
  return /^[1-9][0-9]{0,9}$/.test(id)
    ? ok(id)
    : err({ code: "refused", because: `${printable(JSON.stringify(id), 100)} is not a job id.` });
}

/** Control characters break line-wise reading of `scontrol show node` and terminals: each run becomes one blank. */
export function printable(text: string, maxLength: number): string {
  return text
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim()
    .slice(0, maxLength);
}
