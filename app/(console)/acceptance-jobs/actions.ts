"use server";

import { refresh } from "next/cache";

import { type FormState } from "@/lib/client/form-state";
import { err, ok } from "@/lib/core/kernel/result";
import { defineAction } from "@/lib/server/define-action";
import { saveAcceptanceJob } from "@/lib/services/save-acceptance-job";

const JOB_BYTES = 256 * 1024;

const perform = defineAction(async ({ actor, deps, form }) => {
  const yaml = form.get("yaml");
  if (typeof yaml !== "string" || yaml.trim() === "") return err({ because: "The acceptance job is empty.", places: [] });
  const text = yaml.replaceAll("\r\n", "\n");
  if (new TextEncoder().encode(text).length > JOB_BYTES) return err({ because: "The acceptance job is larger than 256 KiB.", places: [] });
  const saved = await saveAcceptanceJob(deps, { actor, yaml: text });
  return saved.ok ? ok({ said: `Published ${saved.value.name}@${saved.value.version}.`, after: refresh }) : saved;
});

/** Publishes a version of an acceptance job. */
export async function publishJob(before: FormState, form: FormData): Promise<FormState> {
  return await perform(before, form);
}
