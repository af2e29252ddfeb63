import { randomBytes, randomUUID } from "node:crypto";
import { Policy } from "@/lib/core/change/policy";
import type { Env } from "@/lib/env";
import type { Deps } from "@/lib/services/deps";
import { aRecord, type TestRecord } from "@/lib/testing/store-contract-record";
import { hashing, type Wired } from "@/lib/wiring";
import { callRoute, type Ask, type Told } from "./call-route";

type Who = "AK" | "LT" | "MR" | "JS" | "DV" | "RB" | "AD" | "reader";
export type DoorSite = {
  readonly record: TestRecord;
  readonly deps: Deps;
  /** What the log was told at level error. */
  readonly broken: readonly string[];
  readonly tokens: Readonly<Record<Who, string>>;
  /** One request to the API's route files, as a person or (null) as nobody. */
  ask(who: Who | null, method: string, path: string, over?: Omit<Ask, "method" | "path">): Promise<Told>;
  /** A hash of everything the record holds but when a token was last used: equal before and after what must change nothing. */
  contents(): Promise<string>;
  close(): Promise<void>;
};

const kept = globalThis as typeof globalThis & { clearanceWired?: Promise<Wired> };

/** The API's own route files on a record of its own: cluster sim-h100, change CH-1, a token per person and one that may only read. */
export async function openDoors(): Promise<DoorSite> {
  const record = await aRecord();
  const broken: string[] = [];
  const deps: Deps = {
    store: record.store,
    clock: record.store.clock,
    log: { info: () => undefined, warn: () => undefined, error: (facts, text) => void broken.push(`${text} ${JSON.stringify(facts)}`) },
    hash: hashing,
    newId: () => randomUUID(),
    world: () => null,
    policy: () => Policy.parse({}),
    site: () => null,
    notifiers: [],
  };
  const feed = { subscribe: () => Promise.resolve(() => undefined), close: () => Promise.resolve() };
  const wired: Wired = { deps, workers: record.store.workers, feed, env: {} as Env, close: () => Promise.resolve() };
  kept.clearanceWired = Promise.resolve(wired);
  const who: readonly Who[] = ["AK", "LT", "MR", "JS", "DV", "RB", "AD", "reader"];
  const tokens = Object.fromEntries(who.map((one) => [one, `clr_${randomBytes(24).toString("base64url")}`])) as Record<Who, string>;
  for (const one of who) {
    const scopes = one === "reader" ? ["read"] : ["read", "write"];
    const values = [`token-${one}`, one === "reader" ? "AK" : one, one, Buffer.from(hashing.text(tokens[one]), "hex"), scopes];
    await record.sql("insert into api_tokens (id, person_id, name, hash, scopes) values ($1, $2, $3, $4, $5)", values);
  }
  return {
    record,
    deps,
    broken,
    tokens,
    ask: (person, method, path, over = {}) =>
      callRoute({
        method,
        path,
        ...over,
        headers: { ...(person === null ? {} : { authorization: `Bearer ${tokens[person]}` }), ...over.headers },
      }),
    contents: () => contentsOf(record),
    close: async () => {
      delete kept.clearanceWired;
      await record.close();
    },
  };
}

async function contentsOf(record: TestRecord): Promise<string> {
  const [made] = await record.sql<{ query: string }>(
    `select string_agg(format('select %L as name, md5(coalesce(string_agg(t::text, chr(10) order by t::text), %L)) as hash from public.%I t', table_name, '', table_name), ' union all ') as query
     from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('api_tokens', 'clock')`,
  );
  const hashes = await record.sql<{ name: string; hash: string }>(`${made?.query} order by name`);
  return hashes.map(({ name, hash }) => `${name} ${hash}`).join("\n");
}
