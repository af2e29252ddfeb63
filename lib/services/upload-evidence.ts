import { z } from "zod";
import { mayAct } from "@/lib/core/change/may-act";
import { actionStates } from "@/lib/core/change/permitted-actions";
import type { CheckView, Snapshot } from "@/lib/core/change/snapshot";
import { judgeReading } from "@/lib/core/check/judge-reading";
import type { Judged } from "@/lib/core/check/verdict";
import { baselineRows, parserOf } from "@/lib/core/engine/judge-evidence";
import type { ChangeId, Sha256 } from "@/lib/core/kernel/ids";
import { err, ok, type Result } from "@/lib/core/kernel/result";
import { PARSERS, parserNamed } from "@/lib/parsers/parsers";
import type { PersonView } from "@/lib/ports/rows";
import { actOnChange } from "./act-on-change";
import type { Deps } from "./deps";
import { evidenceOf } from "./perform/evidence-of";
import { refusal, type Refusal } from "./refusal";

const Instant = z.iso.datetime({ offset: true });

type Upload = {
  readonly actor: PersonView;
  readonly changeId: string;
  readonly checkId: string;
  readonly parser: string | null;
  /** When the output was taken, ISO with its zone; null where the tool prints its own time or nobody knows. */
  readonly at: string | null;
  readonly bytes: Uint8Array;
};
type Kept = { readonly sha256: string; readonly verdict: string; readonly because: string };

/** A tool's output brought by a person: kept first, then read by the same parser and judged by the same rules as what Clearance runs itself. */
export async function uploadEvidence(
  deps: Pick<Deps, "store" | "clock" | "hash" | "policy" | "newId">,
  upload: Upload,
): Promise<Result<Kept, Refusal>> {
  if (upload.bytes.length === 0) return err(refusal("invalid", "The upload is empty.", ["the body: no bytes"]));
  if (upload.checkId === "") return err(refusal("invalid", "For which check is this?", ["check: the id of a check"]));
  if (upload.at !== null && !Instant.safeParse(upload.at).success)
    return err(
      refusal("invalid", `"${upload.at.slice(0, 60)}" is no instant; write for example 2026-12-08T23:51:12Z.`, [
        "at: an instant with its zone",
      ]),
    );
  const s = await deps.store.loadSnapshot(upload.changeId as ChangeId);
  if (s === null) return err(refusal("not_found", `There is no change ${upload.changeId}.`));
  const check = s.checks.find((one) => one.id === upload.checkId);
  if (check === undefined) return err(refusal("not_found", `Change ${s.change.id} has no check "${upload.checkId.slice(0, 200)}".`));
  const now = await deps.clock.now();
  const evidence = evidenceOf(deps.hash, upload.bytes);
  const input = {
    on: check.id,
    files: [evidence.sha256],
    ...(upload.parser === null ? {} : { parser: upload.parser }),
    ...(upload.at === null ? {} : { at: new Date(upload.at).toISOString() }),
  };
  const call = { actor: upload.actor, changeId: upload.changeId, action: "upload-evidence" };
  const state = actionStates("upload-evidence", s, deps.policy(s.change.clusterId), now).find((one) => one.on === check.id);
  // Who may not bring evidence fills no disk with it: the refusal is the action's own, about the record that was looked at.
  const may = state?.permitted === true && mayAct(state, upload.actor).allowed;
  if (!may) {
    const refusedHere = await actOnChange(deps, { ...call, input: { ...input, version: s.change.version } });
    return refusedHere.ok ? err(refusal("conflict", `Change ${s.change.id} was changed meanwhile; look at it again.`)) : refusedHere;
  }
  const judged = judge(s, check, upload, evidence.sha256, now);
  if (!judged.ok) return judged;
  await deps.store.putEvidence(evidence);
  const acted = await actOnChange(deps, { ...call, input }, { judged: judged.value });
  return acted.ok ? ok({ sha256: evidence.sha256, verdict: judged.value.verdict, because: judged.value.because }) : acted;
}

function judge(s: Snapshot, check: CheckView, upload: Upload, sha: Sha256, now: Date): Result<Judged, Refusal> {
  const { spec } = check;
  if (spec.kind !== "command")
    return err(refusal("invalid", `"${check.name}" is read from its own source; read it again instead of uploading for it.`));
  const name = upload.parser ?? parserOf(spec) ?? "text";
  const parse = parserNamed(name);
  if (parse === null || parse === undefined)
    return err(refusal("invalid", `There is no parser "${name.slice(0, 60)}".`, [`parser: one of ${Object.keys(PARSERS).join(", ")}`]));
  const target = s.targets.find((one) => one.id === check.targetId) ?? null;
  const reading = parse(upload.bytes);
  const { judged } = judgeReading(reading, spec.expect, spec.baseline, baselineRows({ s }, check, target, reading.conditions), {
    gpus: spec.gpus,
    now,
    takenAt: upload.at === null ? null : new Date(upload.at),
    lastRebootAt: target !== null && target.bootedAfter.is === "value" ? target.bootedAfter.value : null,
    rests: { observations: [], evidence: sha },
  });
  // Taken before the boot that it is to speak about: it says nothing about what runs now (R1.11).
  const taken = upload.at === null ? null : new Date(upload.at);
  if (taken !== null && target !== null && target.bootedAfter.is === "value" && taken < target.bootedAfter.value) {
    const because = `taken at ${taken.toISOString()}, before the last reboot of ${target.name}`;
    return ok({ verdict: "unresolved", reason: "before_reboot", because, facts: {}, rests: { observations: [], evidence: sha } });
  }
  return ok(judged);
}
