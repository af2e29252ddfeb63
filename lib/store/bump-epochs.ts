import type { SeenBoot } from "@/lib/ports/store";
import { row, type Sql } from "./database";
import { storedTextOrNull } from "./stored-text";

const SAME_BOOT_MS = 3_000;
type Stored = { readonly boot_id: string | null; readonly booted_at: Date | null; readonly host_epoch: number };

/** Records boots and counts new ones once each (R1.11). Returns the new epoch of every subject whose counter moved. */
export async function bumpEpochs(sql: Sql, boots: readonly SeenBoot[]): Promise<ReadonlyMap<number, number>> {
  const bumped = new Map<number, number>();
  for (const boot of [...boots].sort((a, b) => a.subjectId - b.subjectId)) {
    const stored = await row<Stored>(sql, "select boot_id, booted_at, host_epoch from subjects where id = $1 for update", [boot.subjectId]);
    if (stored === null) continue;
    const isNew = isAnother(stored, boot);
    const bootId = boot.bootId ?? (isNew ? null : stored.boot_id);
    const bootedAt = boot.bootedAt ?? (isNew ? null : stored.booted_at);
    if (!isNew && bootId === stored.boot_id && bootedAt?.getTime() === stored.booted_at?.getTime()) continue;
    const epoch = stored.host_epoch + (isNew ? 1 : 0);
    // Within tolerance the first boot time stands: taking each later one would let it creep past a real reboot.
    const kept = isNew ? bootedAt : (stored.booted_at ?? bootedAt);
    await sql.query("update subjects set boot_id = $2, booted_at = $3, host_epoch = $4 where id = $1", [
      boot.subjectId,
      storedTextOrNull(bootId),
      kept,
      epoch,
    ]);
    if (isNew) bumped.set(boot.subjectId, epoch);
  }
  return bumped;
}

function isAnother(stored: Stored, boot: SeenBoot): boolean {
  if (boot.bootId !== null && stored.boot_id !== null && boot.bootId !== stored.boot_id) return true;
  return boot.bootedAt !== null && stored.booted_at !== null && boot.bootedAt.getTime() - stored.booted_at.getTime() > SAME_BOOT_MS;
}
