import type { CommandRequest } from "@/lib/core/change/command-request";
import type { NewEvidence } from "@/lib/ports/store";
import type { ClusterWorld, Hashing } from "../deps";
import { onlyLine, reportHost } from "../host-report";
import { evidenceOf, outputOf } from "./evidence-of";
import { done, type Performed } from "./performed";

type Request = Extract<CommandRequest, { kind: "save_versions" }>;
type Saved = { readonly name: string; readonly version: string | null; readonly because: string };

/** Saves what a rollback would go back to, per component. One that cannot be read is saved as unknown; the core decides what that closes. */
export async function performSave(
  deps: { readonly world: ClusterWorld; readonly hash: Hashing },
  request: Request,
  timeoutMs: number,
): Promise<Performed> {
  const evidence: NewEvidence[] = [];
  const saved: Saved[] = [];
  for (const part of request.components) {
    if (part.read === null) {
      const [reported] = await reportHost({ shell: deps.world.shell, hash: deps.hash }, request.node, [part.component], timeoutMs);
      if (reported?.evidence) evidence.push(reported.evidence);
      saved.push({ name: part.name, version: reported?.text ?? null, because: reported?.because ?? "" });
      continue;
    }
    const end = await deps.world.shell.run({ node: request.node }, part.read, { timeoutMs, maxBytes: 65_536 });
    if (!end.ok) {
      saved.push({ name: part.name, version: null, because: end.error.because });
      continue;
    }
    evidence.push(evidenceOf(deps.hash, outputOf(end.value)));
    const version = end.value.exitCode === 0 && !end.value.truncated ? onlyLine(end.value.stdout) : null;
    saved.push({ name: part.name, version, because: version === null ? `${part.read} did not print one version` : "" });
  }
  const missing = saved.filter((part) => part.version === null).map((part) => part.name);
  const because =
    missing.length === 0
      ? `saved ${saved.map((part) => `${part.name} ${part.version}`).join(", ")}`
      : `could not read ${missing.join(", ")}`;
  return done(because, { saved: [...saved] }, { evidence: unique(evidence) });
}

export const unique = (evidence: readonly NewEvidence[]): NewEvidence[] => [...new Map(evidence.map((row) => [row.sha256, row])).values()];
