"use server";

import { redirect } from "next/navigation";

import { type FormState } from "@/lib/client/form-state";
import { paths } from "@/lib/client/paths";
import { ok } from "@/lib/core/kernel/result";
import { defineAction } from "@/lib/server/define-action";
import { actOnChange } from "@/lib/services/act-on-change";

const perform = defineAction(async ({ actor, deps, form }) => {
  const changeId = textOf(form, "change");
  const input = {
    on: textOf(form, "on"),
    comment: textOf(form, "comment"),
    answers: {
      layers: chosen(form, "layer/"),
      checks: chosen(form, "check/"),
      acceptedOn: textOf(form, "acceptedOn"),
      nextAction: textOf(form, "nextAction"),
      decides: textOf(form, "decides"),
    },
  };
  const acted = await actOnChange(deps, { actor, changeId, action: "record-reading", input });
  return acted.ok ? ok({ said: "Recorded.", after: () => redirect(paths.change(changeId)) }) : acted;
});

/** The five answers of a second reader. */
export async function recordReading(before: FormState, form: FormData): Promise<FormState> {
  return await perform(before, form);
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};
const chosen = (form: FormData, prefix: string): Record<string, string> =>
  Object.fromEntries([...form.keys()].filter((key) => key.startsWith(prefix)).map((key) => [key.slice(prefix.length), textOf(form, key)]));
