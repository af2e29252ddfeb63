import { randomUUID } from "node:crypto";
import type { HashText } from "@/lib/core/kernel/hash";
import type { Move } from "@/lib/core/change/move";
import type { Actor } from "@/lib/ports/store";
import type { Sql } from "../database";
import { rowRef, type HashedTable } from "../row-hashes";

/** One commit under way: its transaction, whose change, and the rows that its audit lines will answer for. */
export type Writing = {
  readonly sql: Sql;
  readonly hash: HashText;
  readonly changeId: string;
  readonly clusterId: string;
  /** Present revision of the plan, as of the start of the commit. */
  readonly revision: number;
  readonly at: Date;
  readonly actor: Actor;
  readonly refs: Set<string>;
};
export type MoveOf<Kind extends Move["move"]> = Extract<Move, { readonly move: Kind }>;
/** Writes one move that core has decided; adds no rule of its own. */
export type Apply<Kind extends Move["move"]> = (w: Writing, move: MoveOf<Kind>) => Promise<void>;

export const newId = (): string => randomUUID();
export const wrote = (w: Writing, table: HashedTable, ...key: readonly (string | number)[]): void => void w.refs.add(rowRef(table, ...key));

/** The record is not what the commit's author saw: nothing is written, he loads and decides again. */
export class Conflict extends Error {}

/** The row a move speaks of must be there: the version guard has passed, so a missing one is a bug of whoever decided. */
export async function updateOne(w: Writing, what: string, text: string, values: readonly unknown[]): Promise<void> {
  const { rowCount } = await w.sql.query(text, values);
  if (rowCount !== 1) throw new Error(`${w.changeId}: ${what} is not in the record`);
}
