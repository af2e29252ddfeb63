import { createRequire } from "node:module";

import { paths } from "@/lib/client/paths";
import { loadEnv } from "@/lib/env";

import { requirePerson } from "./session";
import { wired } from "./wired";

const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };

/** People with their roles, the tokens that this person may see and end, and what this installation is. */
export async function loadSettings() {
  const person = await requirePerson(paths.settings());
  const { deps } = await wired();
  const admin = person.roles.includes("admin");
  const [people, tokens, health, now, { demo }] = await Promise.all([
    deps.store.people(),
    deps.store.tokens(admin ? null : person.id),
    deps.store.health(),
    deps.clock.now(),
    loadEnv(),
  ]);
  return { person, admin, people, tokens, workers: health.workers, beatNow: health.now, now, about: { version, demo } };
}
