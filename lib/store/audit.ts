import type { Store } from "@/lib/ports/store";
import { rows, type Database } from "./database";
import { hashRows } from "./row-hashes";

type Audit = Pick<Store, "auditEvents" | "auditChains" | "auditHead" | "recentEvents" | "rowHashes">;

/** What the worker wrote that a shift wants to know; its steps in between are in the chain. */
const TELLING = [
  ...["accepted", "failed", "unresolved", "rolled_back", "rollback_failed", "released", "withheld"].map((step) => `target.${step}`),
  ...["hold.set", "finding.opened", "report.frozen", "preflight.judged", "check.fail", "check.unresolved"],
];

export const audit = ({ pool }: Database): Audit => ({
  auditEvents: async (chain) => {
    const found = await rows<EventRow>(
      pool,
      `select chain, seq, at, actor, action, target_id, because, body, encode(prev_hash, 'hex') as prev_hash, encode(hash, 'hex') as hash
       from audit_events where chain = $1 order by seq`,
      [chain],
    );
    return found.map(({ target_id, prev_hash, ...event }) => ({ ...event, targetId: target_id, prevHash: prev_hash }));
  },
  auditChains: async () => (await rows<{ chain: string }>(pool, "select chain from audit_heads order by chain")).map((head) => head.chain),
  auditHead: async (chain) => {
    const last = await rows<{ seq: number; hash: string }>(
      pool,
      "select seq, encode(hash, 'hex') as hash from audit_events where chain = $1 order by seq desc limit 1",
      [chain],
    );
    return last[0] ?? null;
  },
  recentEvents: (since, limit) =>
    rows<Pick<EventRow, "chain" | "seq" | "at" | "actor" | "action" | "because">>(
      pool,
      `select chain, seq, at, actor, action, because from audit_events
       where at >= $1 and (actor <> 'worker' or action = any($3) or action like 'change.%' or action like 'batch.%') order by at desc, chain, seq desc limit $2`,
      [since, limit, TELLING],
    ),
  rowHashes: (refs) => hashRows(pool, refs),
});

type EventRow = {
  chain: string;
  seq: number;
  at: Date;
  actor: string;
  action: string;
  target_id: string | null;
  because: string;
  body: string;
  prev_hash: string;
  hash: string;
};
