"use server";

import { refresh } from "next/cache";

import { formOf } from "@/lib/client/action-forms";
import { type FormState } from "@/lib/client/form-state";
import { readActionForm } from "@/lib/client/read-action-form";
import { err, ok } from "@/lib/core/kernel/result";
import { defineAction } from "@/lib/server/define-action";
import { actOnChange } from "@/lib/services/act-on-change";
import { uploadEvidence } from "@/lib/services/upload-evidence";

const EVIDENCE_BYTES = 16 * 1024 * 1024;

const perform = defineAction(async ({ actor, deps, form }) => {
  const changeId = textOf(form, "change");
  const action = textOf(form, "action");
  const spec = formOf(action);
  if (spec === null) return err({ because: `There is no action "${action.slice(0, 60)}".`, places: [] });
  if (spec.typed === true && textOf(form, "confirm") !== changeId)
    return err({ because: `Nothing was done: type ${changeId} to confirm.`, places: [] });
  const read = readActionForm(spec.fields, form);
  if (!read.ok) return err({ because: "Some of it cannot be understood.", places: read.error });
  if (action === "upload-evidence") {
    const file = form.get("file");
    if (!(file instanceof File) || file.size === 0) return err({ because: "Choose a file that is not empty.", places: [] });
    if (file.size > EVIDENCE_BYTES) return err({ because: "The file is larger than 16 MiB.", places: [] });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { parser = null, at = null } = read.value as { parser?: string; at?: string };
    const kept = await uploadEvidence(deps, { actor, changeId, checkId: textOf(form, "on"), parser, at, bytes });
    return kept.ok ? ok({ said: `Kept and read: ${kept.value.verdict}. ${kept.value.because}`, after: refresh }) : kept;
  }
  const acted = await actOnChange(deps, { actor, changeId, action, input: read.value });
  return acted.ok
    ? ok({ said: `Done: ${spec.label.toLowerCase()}. The record is at version ${acted.value.version}.`, after: refresh })
    : acted;
});

/** Any action of a change, from its own form. */
export async function act(before: FormState, form: FormData): Promise<FormState> {
  return await perform(before, form);
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};
