import type { NewEvidence } from "@/lib/ports/store";
import type { Sql } from "./database";
import { rowRef } from "./row-hashes";
import { bytesOf } from "./stored-text";

/** Stored once under its SHA-256; content that is there already is left as it is. Returns how audit lines name the rows. */
export async function writeEvidence(sql: Sql, all: readonly NewEvidence[]): Promise<readonly string[]> {
  const sorted = [...all].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1)); // one order everywhere, so that two writers of the same content do not lock each other out
  for (const one of sorted) {
    await sql.query(
      "insert into evidence (sha256, media_type, byte_count, bytes, redactions) values ($1, $2, $3, $4, $5) on conflict (sha256) do nothing",
      [bytesOf(one.sha256), one.mediaType, one.bytes.byteLength, Buffer.from(one.bytes), one.redactions],
    );
  }
  return sorted.map((one) => rowRef("evidence", one.sha256));
}
