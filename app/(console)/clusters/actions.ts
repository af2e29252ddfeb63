"use server";

import { refresh } from "next/cache";

import { type FormState } from "@/lib/client/form-state";
import { err, ok } from "@/lib/core/kernel/result";
import { defineAction } from "@/lib/server/define-action";
import { actOnCluster } from "@/lib/services/act-on-cluster";
import { testConnections } from "@/lib/services/test-connections";

const perform = defineAction(async ({ actor, deps, form }) => {
  const clusterId = textOf(form, "cluster");
  const action = textOf(form, "action");
  if (textOf(form, "confirm") !== clusterId) return err({ because: `Nothing was done: type ${clusterId} to confirm.`, places: [] });
  const acted = await actOnCluster(deps, { actor, clusterId, action, input: { reason: textOf(form, "reason") } });
  if (!acted.ok) return acted;
  return ok({ said: action === "stop-all" ? `All work on ${clusterId} is stopped.` : `Work on ${clusterId} goes on.`, after: refresh });
});

/** stop-all and lift-stop (R7.6). */
export async function actOnClusterForm(before: FormState, form: FormData): Promise<FormState> {
  return await perform(before, form);
}

const ask = defineAction(async ({ deps, form }) => {
  const asked = await testConnections(deps, textOf(form, "cluster"));
  if (!asked.ok) return asked;
  const silent = asked.value.filter(({ good }) => !good);
  const said = silent.length === 0 ? "Every system answers." : `Not as it should be: ${silent.map(({ system }) => system).join(", ")}.`;
  const lines = asked.value.map(
    ({ system, good, version, told }) => `${good ? "Answers" : "Unresolved"}: ${system}${version === null ? "" : `, ${version}`}; ${told}`,
  );
  return silent.length === 0 ? ok({ said, lines }) : err({ because: said, places: lines });
});

/** Asks every system of a cluster now; changes nothing. */
export async function testConnectionForm(before: FormState, form: FormData): Promise<FormState> {
  return await ask(before, form);
}

const textOf = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
};
