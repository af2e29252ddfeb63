import { notFound } from "next/navigation";

import { paths } from "@/lib/client/paths";
import { canaryRecord, type CanaryRecord } from "@/lib/core/change/view/canary-record";
import { type ChangeId } from "@/lib/core/kernel/ids";

import { loadChange } from "./load-change";
import { requirePerson } from "./session";
import { wired } from "./wired";

/** One canary record for its reviewer, the newest when none is named; null: none is frozen yet. */
export async function loadCanary(
  id: string,
  reportId: string | null,
): Promise<{ record: CanaryRecord | null; page: Awaited<ReturnType<typeof loadChange>> }> {
  await requirePerson(paths.canary(id, reportId ?? ""));
  const { deps } = await wired();
  const s = await deps.store.loadSnapshot(id as ChangeId);
  if (s === null) notFound();
  const wanted = reportId ?? s.reports.at(-1)?.id ?? null;
  const record = wanted === null ? null : canaryRecord(s, wanted);
  if (wanted !== null && record === null) notFound();
  return { record, page: await loadChange(id, record?.canary ?? null) };
}
