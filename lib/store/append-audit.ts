import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import type { Actor, AuditEntry } from "@/lib/ports/store";
import { row, type Sql } from "./database";
import { hashRows } from "./row-hashes";
import { storedText } from "./stored-text";

type Line = { readonly chain: string; readonly at: Date; readonly actor: Actor };

/**
 * Appends to a chain: each line's hash covers the one before and its own body, canonical JSON that carries the hashes of the rows written in this
 * transaction (with the last line). Locks the chain's head until commit.
 */
export async function appendAudit(sql: Sql, line: Line, entries: readonly AuditEntry[], rowRefs: ReadonlySet<string>): Promise<void> {
  if (entries.length === 0) return;
  await sql.query("insert into audit_heads (chain, seq, hash) values ($1, 0, sha256(convert_to($1, 'UTF8'))) on conflict do nothing", [
    line.chain,
  ]);
  const head = await row<{ seq: number; hash: Buffer }>(sql, "select seq, hash from audit_heads where chain = $1 for update", [line.chain]);
  if (head === null) throw new Error(`the audit chain ${line.chain} has no head`);
  const hashes = Object.fromEntries([...(await hashRows(sql, [...rowRefs]))].sort(([a], [b]) => (a < b ? -1 : 1)));
  let { seq, hash } = head;
  for (const [i, entry] of entries.entries()) {
    seq += 1;
    hash = await appendLine(sql, { ...line, seq, prev: hash, entry, hashes: i === entries.length - 1 ? hashes : {} });
  }
  await sql.query("update audit_heads set seq = $2, hash = $3 where chain = $1", [line.chain, seq, hash]);
}

type FullLine = Line & {
  readonly seq: number;
  readonly prev: Buffer;
  readonly entry: AuditEntry;
  readonly hashes: Readonly<Record<string, string | null>>;
};

async function appendLine(sql: Sql, { chain, at, actor, seq, prev, entry, hashes }: FullLine): Promise<Buffer> {
  const because = storedText(entry.because);
  const body = canonicalJson({
    chain,
    seq,
    at,
    actor,
    action: entry.action,
    targetId: entry.targetId,
    because,
    facts: entry.facts,
    rows: hashes,
  });
  const written = await row<{ hash: Buffer }>(
    sql,
    `insert into audit_events (chain, seq, at, actor, action, target_id, because, body, prev_hash, hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, sha256($9::bytea || convert_to($8, 'UTF8'))) returning hash`,
    [chain, seq, at, actor, entry.action, entry.targetId, because, body, prev],
  );
  if (written === null) throw new Error("an audit line was not written");
  return written.hash;
}
