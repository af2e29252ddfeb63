"use server";

import { redirect } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { UNSENT, type FormState } from "@/lib/client/form-state";
import { err, ok } from "@/lib/core/kernel/result";
import { type PlanPreview } from "@/lib/core/planner/preview";
import { defineAction } from "@/lib/server/define-action";
import { createChange } from "@/lib/services/create-change";
import { previewYaml } from "@/lib/services/preview-change";

const PLAN_BYTES = 256 * 1024;

type PreviewState = { readonly form: FormState; readonly preview: PlanPreview | null };

const create = defineAction(async ({ actor, deps, form }) => {
  const yaml = yamlOf(form);
  if (!yaml.ok) return yaml;
  const made = await createChange(deps, { actor, yaml: yaml.value });
  if (!made.ok) return made;
  return ok({ said: `Made ${made.value.changeId}.`, after: () => redirect(paths.change(made.value.changeId)) });
});

/** Records the plan as a change; nothing is touched. */
export async function createPlan(before: FormState, form: FormData): Promise<FormState> {
  return await create(before, form);
}

/** Reads and plans what is typed, and records nothing. The last picture stays while the text has faults. */
export async function previewPlan(before: PreviewState, form: FormData): Promise<PreviewState> {
  let { preview } = before;
  const look = defineAction(async ({ deps }) => {
    const yaml = yamlOf(form);
    if (!yaml.ok) return yaml;
    const seen = await previewYaml(deps, yaml.value);
    if (!seen.ok) return seen;
    preview = seen.value;
    return ok({ said: "" });
  });
  const state = await look(before.form, form);
  return { form: state.is === "done" ? { ...UNSENT, answers: state.answers } : state, preview };
}

function yamlOf(form: FormData) {
  const yaml = form.get("yaml");
  if (typeof yaml !== "string" || yaml.trim() === "")
    return err({ because: "The plan is empty.", places: ["line 1, the plan: nothing is written"] });
  // A form's text comes with CRLF; lines count the same.
  const text = yaml.replaceAll("\r\n", "\n");
  return new TextEncoder().encode(text).length > PLAN_BYTES ? err({ because: "The plan is larger than 256 KiB.", places: [] }) : ok(text);
}
