import { classOf, labelClasses } from "@/lib/core/node/node-class";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { sortName } from "@/lib/core/kernel/natural-order";
import type { ClusterSetup, InventoryEntry } from "@/lib/ports/rows";
import type { Store } from "@/lib/ports/store";
import { rows, transact, type Database, type Sql } from "./database";
import { bytesOf, json, storedText } from "./stored-text";

/** Open long commands are looked at by a read of their own, which every cluster has. */
const WORK = { name: "work", everyMs: 5_000, requiredFor: [] } as const;

/**
 * Makes the inventory what configuration and scheduler say together: subjects, classes, nodes, leaves, sources. A node that is not named any more is
 * retired, never deleted: its history stays. Running it again with the same input changes nothing.
 */
export const syncCluster =
  ({ pool, hash }: Database): Store["syncCluster"] =>
  (setup, nodes, at) =>
    transact(pool, async (sql) => {
      await writeCluster(sql, setup, hash(canonicalJson(setup)));
      await writeSources(sql, setup, at);
      await writeSubjects(sql, setup.id, "cluster", [setup.id], at);
      const names = nodes.map((node) => node.name);
      const ids = await writeSubjects(sql, setup.id, "node", names, at);
      const classes = await writeClasses(sql, setup.id, nodes, (facts) => hash(classOf(facts)));
      await writeNodes(sql, setup.id, nodes, ids, classes, at);
      await writeLeaves(sql, setup.id, nodes, ids, at);
      await sql.query("update nodes set retired_at = $3 where cluster_id = $1 and retired_at is null and not (id = any($2))", [
        setup.id,
        [...ids.values()],
        at,
      ]);
    });

async function writeCluster(sql: Sql, setup: ClusterSetup, configHash: string): Promise<void> {
  await sql.query(
    `insert into clusters (id, title, production, disposable, execution, timezone, policy, sources, config_hash, topology) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (id) do update set title = excluded.title, production = excluded.production, disposable = excluded.disposable, execution = excluded.execution,
       timezone = excluded.timezone, policy = excluded.policy, sources = excluded.sources, config_hash = excluded.config_hash, topology = excluded.topology, retired_at = null`,
    [
      setup.id,
      storedText(setup.title),
      setup.production,
      setup.disposable,
      setup.execution,
      setup.timezone,
      json(setup.policy),
      json(setup.sources),
      bytesOf(configHash),
      json(setup.topology),
    ],
  );
}

async function writeSources(sql: Sql, setup: ClusterSetup, at: Date): Promise<void> {
  const sources = setup.sources.some((source) => source.name === WORK.name) ? setup.sources : [...setup.sources, WORK];
  for (const { name, everyMs } of [...sources].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    await sql.query(
      `insert into source_reads (cluster_id, source, wanted_every_ms, next_due_at) values ($1, $2, $3, $4)
       on conflict (cluster_id, source) do update set wanted_every_ms = excluded.wanted_every_ms`,
      [setup.id, name, everyMs, at],
    );
  }
  await sql.query("delete from source_reads where cluster_id = $1 and not (source = any($2))", [
    setup.id,
    sources.map((source) => source.name),
  ]);
}

type Kind = "cluster" | "node" | "switch";

async function writeSubjects(
  sql: Sql,
  clusterId: string,
  kind: Kind,
  names: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, number>> {
  await sql.query(
    `insert into subjects (cluster_id, kind, name, first_seen_at) select $1, $2::subject_kind, unnest($3::text[]), $4 on conflict (cluster_id, kind, name) do nothing`,
    [clusterId, kind, names, at],
  );
  const found = await rows<{ id: number; name: string }>(
    sql,
    "select id, name from subjects where cluster_id = $1 and kind = $2 and name = any($3)",
    [clusterId, kind, names],
  );
  return new Map(found.map((subject) => [subject.name, subject.id]));
}

/** Class ids by `classOf`. A class row is never edited: new facts are a new class. */
async function writeClasses(
  sql: Sql,
  clusterId: string,
  nodes: readonly InventoryEntry[],
  fingerprint: (facts: InventoryEntry["facts"]) => string,
): Promise<ReadonlyMap<string, number>> {
  const facts = new Map(nodes.map((node) => [classOf(node.facts), node.facts]));
  const labels = labelClasses([...facts.values()]);
  const ids = new Map<string, number>();
  for (const [key, one] of [...facts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const values = [clusterId, bytesOf(fingerprint(one)), labels.get(key) ?? key, json(one)];
    await sql.query(
      "insert into node_classes (cluster_id, fingerprint, label, facts, made_from) values ($1, $2, $3, $4, '{}') on conflict (cluster_id, fingerprint) do nothing",
      values,
    );
    const [found] = await rows<{ id: number }>(
      sql,
      "select id from node_classes where cluster_id = $1 and fingerprint = $2",
      values.slice(0, 2),
    );
    if (found !== undefined) ids.set(key, found.id);
  }
  return ids;
}

type Ids = ReadonlyMap<string, number>;

async function writeNodes(sql: Sql, clusterId: string, nodes: readonly InventoryEntry[], ids: Ids, classes: Ids, at: Date): Promise<void> {
  const column = <T>(pick: (node: InventoryEntry) => T): readonly T[] => nodes.map(pick);
  await sql.query(
    `insert into nodes as n (id, cluster_id, sort_name, class_id, gpu_count, hca_count, role, partitions, service_since)
     select i, $1, s, c, g, h, r, coalesce((select array_agg(p.value) from json_array_elements_text(ps::json) p), '{}'), $9
     from unnest($2::int[], $3::text[], $4::int[], $5::int[], $6::int[], $7::text[], $8::text[]) as u (i, s, c, g, h, r, ps)
     on conflict (id) do update set sort_name = excluded.sort_name, class_id = excluded.class_id, gpu_count = excluded.gpu_count, hca_count = excluded.hca_count,
       role = excluded.role, partitions = excluded.partitions, retired_at = null`,
    [
      clusterId,
      column((node) => ids.get(node.name)),
      column((node) => sortName(node.name)),
      column((node) => classes.get(classOf(node.facts))),
      column((node) => node.facts.accelerator.count),
      column((node) => node.facts.hca.count),
      column((node) => node.role),
      column((node) => json(node.partitions)),
      at,
    ],
  );
}

/** `leaves: null` leaves a node without any: unknown, or a site without topology source (`clusters.topology` says which). */
async function writeLeaves(sql: Sql, clusterId: string, nodes: readonly InventoryEntry[], ids: Ids, at: Date): Promise<void> {
  const fabrics = new Map(nodes.flatMap((node) => (node.leaves ?? []).map((leaf) => [leaf.name, leaf.fabric])));
  const switches = await writeSubjects(sql, clusterId, "switch", [...fabrics.keys()], at);
  await sql.query(
    `insert into switches (id, tier, fabric) select u.id, 'leaf', u.fabric from unnest($1::int[], $2::text[]) as u (id, fabric)
     on conflict (id) do update set fabric = excluded.fabric`,
    [[...fabrics.keys()].map((name) => switches.get(name)), [...fabrics.values()]],
  );
  const pairs = nodes.flatMap((node) =>
    [...new Set((node.leaves ?? []).map((leaf) => leaf.name))].map((leaf) => [ids.get(node.name), switches.get(leaf)]),
  );
  const columns = [pairs.map(([node]) => node), pairs.map(([, leaf]) => leaf)];
  await sql.query(
    `delete from node_leaves l using nodes n where n.id = l.node_id and n.cluster_id = $3
     and not exists (select 1 from unnest($1::int[], $2::int[]) as u (node, leaf) where u.node = l.node_id and u.leaf = l.leaf_id)`,
    [...columns, clusterId],
  );
  await sql.query("insert into node_leaves (node_id, leaf_id) select * from unnest($1::int[], $2::int[]) on conflict do nothing", columns);
}
