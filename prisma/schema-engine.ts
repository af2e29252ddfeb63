import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, type SqlMigrationAwareDriverAdapterFactory } from "@prisma/driver-adapter-utils";
import * as glue from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

/** Prisma's own migration engine as WebAssembly: works without fetching a binary. `close` ends its connections. */
export async function openSchemaEngine(connectionString: string): Promise<{ readonly engine: glue.SchemaEngine; close(): Promise<void> }> {
  loaded ??= load();
  await loaded;
  const pool = new pg.Pool({ connectionString, max: 2 });
  pool.on("error", () => undefined); // the query that meets the loss reports it
  const engine = await glue.SchemaEngine.new(
    { datamodels: undefined },
    () => undefined,
    bindMigrationAwareSqlAdapterFactory(sendingWholeScripts(pool)),
  );
  return {
    engine,
    async close() {
      engine.free();
      await pool.end();
    },
  };
}

let loaded: Promise<void> | undefined;

/** Read with fs, because Node 20 cannot import a `.wasm`. */
async function load(): Promise<void> {
  const beside = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg");
  const bytes = await readFile(new URL("schema_engine_bg.wasm", `file://${beside}`));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": glue as unknown as WebAssembly.ModuleImports });
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
}

/** The adapter cuts a script at every semicolon, which breaks functions; Postgres takes it whole, all or nothing. */
function sendingWholeScripts(pool: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  const factory = new PrismaPg(pool, { disposeExternalPool: false });
  const connect = factory.connect.bind(factory);
  return Object.assign(factory, {
    connect: async () => Object.assign(await connect(), { executeScript: async (script: string) => void (await pool.query(script)) }),
  });
}
