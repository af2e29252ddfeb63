"use server";

import { refresh } from "next/cache";

import { type FormState } from "@/lib/client/form-state";
import { ok } from "@/lib/core/kernel/result";
import { defineAction } from "@/lib/server/define-action";
import { createToken, revokeToken } from "@/lib/services/manage-tokens";

const create = defineAction(async ({ actor, deps, form }) => {
  const wanted = { name: form.get("name"), scope: form.get("scope"), days: form.get("days") };
  const made = await createToken(deps, { actor, wanted });
  if (!made.ok) return made;
  return ok({ said: `"${made.value.name}" is made. Copy it now: it is shown this once.`, shown: made.value.token, after: refresh });
});

const revoke = defineAction(async ({ actor, deps, form }) => {
  const ended = await revokeToken(deps, { actor, id: String(form.get("token")) });
  if (!ended.ok) return ended;
  return ok({ said: `"${ended.value.name}" opens nothing any more.`, after: refresh });
});

/** A token of one's own. */
export async function createTokenForm(before: FormState, form: FormData): Promise<FormState> {
  return await create(before, form);
}

/** Ends a token. */
export async function revokeTokenForm(before: FormState, form: FormData): Promise<FormState> {
  return await revoke(before, form);
}
