import type { HashText } from "@/lib/core/kernel/hash";
import type { Sql } from "../database";

/** One snapshot being read: its transaction, whose change, and the moment (the database's) for which it holds. */
export type Loading = {
  readonly sql: Sql;
  readonly hash: HashText;
  readonly changeId: string;
  readonly clusterId: string;
  readonly now: Date;
};

/** Instants inside stored JSON come back as what they were. */
export function reviveInstants<T>(value: T, names: ReadonlySet<string>): T {
  if (Array.isArray(value)) return value.map((inner: unknown) => reviveInstants(inner, names)) as T;
  if (value === null || typeof value !== "object" || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]: [string, unknown]) => [
      name,
      names.has(name) && typeof inner === "string" ? new Date(inner) : reviveInstants(inner, names),
    ]),
  ) as T;
}
