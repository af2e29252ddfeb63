import { rows, type Sql } from "./database";

type Key = readonly (readonly [column: string, type: "text" | "int" | "bigint"])[];
/** content: SQL of the jsonb that is hashed, of row `t`. Columns that change without an audit event are left out. */
type Hashed = { readonly key: Key; readonly content: string };

const id = (type: "text" | "int" | "bigint" = "text"): Key => [["id", type]];
const of = (key: Key, without: readonly string[] = [], more = "'{}'"): Hashed => ({
  key,
  // Nulls are stripped so that a column added later does not change the hash of older rows.
  content: `jsonb_strip_nulls(to_jsonb(t) - array[${without.map((c) => `'${c}'`).join(", ")}]::text[] || (${more})::jsonb)`,
});
const RUNNING = ["state", "attempt", "worker", "started_at", "handle", "late"];

/** Every table whose rows an audit event answers for. */
const TABLES = {
  changes: of(id(), ["version", "next_action", "tally"]),
  plans: of([
    ["change_id", "text"],
    ["revision", "int"],
  ]),
  batches: of([
    ["change_id", "text"],
    ["number", "int"],
  ]),
  targets: of(id()),
  commands: {
    key: [["key", "text"]],
    content: `jsonb_strip_nulls(case when t.finished_at is null then to_jsonb(t) - array[${RUNNING.map((c) => `'${c}'`).join(", ")}] else to_jsonb(t) end)`,
  },
  checks: of(id()),
  verdicts: of(
    id("bigint"),
    [],
    "select jsonb_build_object('cites', jsonb_agg(c.observation_id order by c.observation_id)) from citations c where c.verdict_id = t.id",
  ),
  observations: of(id("bigint")),
  evidence: {
    key: [["sha256", "text"]],
    content:
      "jsonb_build_object('content', encode(sha256(t.bytes), 'hex'), 'media_type', t.media_type, 'byte_count', t.byte_count, 'redactions', t.redactions)",
  },
  runs: of(
    id(),
    [],
    "select jsonb_build_object('numbers', jsonb_agg(to_jsonb(m) order by m.metric, m.bucket, m.placement)) from measurements m where m.run_id = t.id",
  ),
  baselines: of(
    id(),
    [],
    "select jsonb_build_object('runs', jsonb_agg(b.run_id order by b.run_id)) from baseline_runs b where b.baseline_id = t.id",
  ),
  decisions: of(id()),
  holds: of(id()),
  findings: of(id()),
  obligations: of(id()),
  places: of([
    ["change_id", "text"],
    ["subject_id", "int"],
    ["field", "text"],
  ]),
  windows: of(id(), ["version"]),
  reports: of(id()),
  second_readings: of(id()),
  rehearsal_links: of([
    ["change_id", "text"],
    ["rehearsal_id", "text"],
    ["kind", "text"],
  ]),
  handoffs: of(id()),
  change_jobs: of([
    ["change_id", "text"],
    ["revision", "int"],
    ["class_id", "int"],
  ]),
  node_classes: of(id("int")),
  acceptance_jobs: of(id()),
  post_mortems: of([["change_id", "text"]], ["version"]),
  messages: of(id(), ["state", "attempts", "next_try_at", "last_error", "delivered_at"]),
} as const satisfies Record<string, Hashed>;
export type HashedTable = keyof typeof TABLES;

/** A row as audit events name it: `table/key`, the parts of a longer key joined by colons. */
export const rowRef = (table: HashedTable, ...key: readonly (string | number)[]): string => `${table}/${key.join(":")}`;

/** SHA-256 (hex) of each row as it stands now; null: there is no such row. */
export async function hashRows(sql: Sql, refs: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const found = new Map<string, string | null>(refs.map((ref) => [ref, null]));
  const byTable = new Map<HashedTable, string[]>();
  for (const ref of found.keys()) {
    const table = ref.slice(0, ref.indexOf("/"));
    if (isHashed(table)) byTable.set(table, [...(byTable.get(table) ?? []), ref.slice(table.length + 1)]);
  }
  for (const [table, keys] of byTable) {
    for (const { key, hash } of await hashesOf(sql, table, keys)) found.set(`${table}/${key}`, hash);
  }
  return found;
}

/** Parts of a key whose type is an enum. */
const ENUM_KEYS = new Set(["field", "kind"]);

const isHashed = (table: string): table is HashedTable => Object.hasOwn(TABLES, table);

function hashesOf(sql: Sql, table: HashedTable, keys: readonly string[]): Promise<{ key: string; hash: string }[]> {
  const { key, content }: Hashed = TABLES[table];
  const parts = keys.map((text) => partsOf(text, key)).filter((found) => found !== null);
  const column = ([name, type]: Key[number]) => {
    if (table === "evidence") return "encode(t.sha256, 'hex')";
    return ENUM_KEYS.has(name) ? `t.${name}::${type}` : `t.${name}`;
  };
  const wanted = key.map(([, type], i) => `$${i + 1}::${type}[]`).join(", ");
  return rows(
    sql,
    `select concat_ws(':', ${key.map(column).join(", ")}) as key, encode(sha256(convert_to((${content})::text, 'UTF8')), 'hex') as hash
     from ${table} t where (${key.map(column).join(", ")}) in (select * from unnest(${wanted}))`,
    key.map((_, i) => parts.map((part) => part[i])),
  );
}

/** null: not a key of that form, so there is no such row. */
function partsOf(text: string, key: Key): readonly string[] | null {
  if (key.length === 1) return key[0]?.[1] === "text" || /^\d{1,15}$/.test(text) ? [text] : null;
  const parts = text.split(":");
  return parts.length === key.length && parts.every((part, i) => key[i]?.[1] === "text" || /^\d{1,9}$/.test(part)) ? parts : null;
}
