import { expandHostlist } from "@/lib/core/kernel/hostlist";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";

/** Names of a hostlist; the scheduler writes "no node" as nothing, "(null)" or "None assigned". */
export function expandNodes(text: string): Result<readonly string[], string> {
  if (text === "" || text === "(null)" || text === "None assigned") return ok([]);
  const names = expandHostlist(text);
  return names.ok ? names : err(names.error.because);
}
