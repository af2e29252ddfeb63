import { notFound } from "next/navigation";

import { paths } from "@/lib/client/paths";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** Raw evidence by its SHA-256, as it came (after redaction). */
export async function loadEvidence(sha: string) {
  await requirePerson(paths.evidence(sha));
  const found = /^[0-9a-f]{64}$/.test(sha) ? await (await wired()).deps.store.evidence(sha) : null;
  return found ?? notFound();
}
