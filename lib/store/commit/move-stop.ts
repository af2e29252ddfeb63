import { rows } from "../database";
import { storedText } from "../stored-text";
import { newId, updateOne, wrote, type Apply, type Writing } from "./writing";

export const moveHold: Apply<"hold"> = async (w, move) => {
  const id = newId();
  await w.sql.query(
    `insert into holds (id, cluster_id, change_id, decision_id, kind, batch, target_id, because, owner_id, since) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      w.clusterId,
      w.changeId,
      move.decisionId ?? null,
      move.kind,
      move.batch,
      move.targetId,
      storedText(move.because),
      move.ownerId,
      w.at,
    ],
  );
  wrote(w, "holds", id);
};

const RELEASE = "update holds set released_at = $2, released_by_id = $3, release_reason = $4 where change_id = $1 and released_at is null";

export const moveLift: Apply<"lift"> = async (w, move) => {
  const because = storedText(move.because);
  const lifted = await rows<{ id: string }>(w.sql, `${RELEASE} and kind = $5::hold_kind returning id`, [
    w.changeId,
    w.at,
    null,
    because,
    move.kind,
  ]);
  for (const { id } of lifted) wrote(w, "holds", id);
};

export const moveReleaseHold: Apply<"release_hold"> = async (w, move) => {
  const reason = storedText(move.reason);
  await updateOne(w, `open hold ${move.holdId}`, `${RELEASE} and id = $5`, [w.changeId, w.at, move.byId, reason, move.holdId]);
  wrote(w, "holds", move.holdId);
};

/** The same obligation asked for again is the same one. */
export const moveObligation: Apply<"obligation"> = async (w, move) => {
  await w.sql.query(
    `insert into obligations (id, change_id, target_id, subject_id, kind, name, prior, made_by, since, ends_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do nothing`,
    [
      move.id,
      w.changeId,
      move.targetId,
      move.subjectId,
      move.kind,
      storedText(move.name),
      move.prior === null || move.prior === undefined ? null : JSON.stringify(move.prior),
      move.madeBy,
      w.at,
      move.endsAt,
    ],
  );
  wrote(w, "obligations", move.id);
};

export const moveSettle: Apply<"settle"> = async (w, move) => {
  await updateOne(
    w,
    `open obligation ${move.obligationId}`,
    "update obligations set settled_at = $2, settled_because = $3 where id = $1 and change_id = $4 and settled_at is null",
    [move.obligationId, w.at, storedText(move.because), w.changeId],
  );
  wrote(w, "obligations", move.obligationId);
};

/** A finding is open once per key: seen again it is the same one. */
export const moveFinding: Apply<"finding"> = async (w, move) => {
  const found = await openFinding(w, { ...move, acceptedBy: move.acceptedBy ?? null, facts: {} });
  if (found !== null) wrote(w, "findings", found);
};

type NewFinding = {
  readonly kind: string;
  readonly key: string;
  readonly on: number | null;
  readonly because: string;
  readonly blocks: boolean;
  readonly acceptedBy: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
};

/** Opens it, unless one with this key is open. Returns the id of the new row. */
export async function openFinding(w: Pick<Writing, "sql" | "clusterId" | "changeId" | "at">, finding: NewFinding): Promise<string | null> {
  const [opened] = await rows<{ id: string }>(
    w.sql,
    `insert into findings (id, cluster_id, change_id, subject_id, kind, key, because, facts, blocks, accepted_by, opened_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (cluster_id, key) where closed_at is null do nothing returning id`,
    [
      newId(),
      w.clusterId,
      w.changeId,
      finding.on,
      finding.kind,
      storedText(finding.key),
      storedText(finding.because),
      JSON.stringify(finding.facts),
      finding.blocks,
      finding.acceptedBy,
      w.at,
    ],
  );
  return opened?.id ?? null;
}

export const moveCloseFinding: Apply<"close_finding"> = async (w, move) => {
  const closed = await rows<{ id: string }>(
    w.sql,
    "update findings set closed_at = $3, closed_because = $4 where cluster_id = $1 and key = $2 and closed_at is null returning id",
    [w.clusterId, storedText(move.key), w.at, storedText(move.because)],
  );
  for (const { id } of closed) wrote(w, "findings", id);
};

export const moveAcceptFinding: Apply<"accept_finding"> = async (w, move) => {
  await updateOne(
    w,
    `open finding ${move.findingId}`,
    "update findings set closed_at = $2, closed_because = $3, decision_id = $4 where id = $1 and cluster_id = $5 and closed_at is null",
    [move.findingId, w.at, storedText(move.because), move.decisionId, w.clusterId],
  );
  wrote(w, "findings", move.findingId);
};
