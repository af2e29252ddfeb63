import { startPostgres, type EmbeddedPostgres } from "./postgres";

/** The database of this start. `lost` resolves with one sentence when the embedded one cannot be kept. */
type Database = { readonly url: string; readonly lost: Promise<string>; readonly stop: () => Promise<void> };

/** The site's own database, or the embedded one, which is started again once when it dies. */
export async function openDatabase(url: string | null, dataDir: string, onRestart: (text: string) => void): Promise<Database> {
  if (url !== null) return { url, lost: new Promise(() => undefined), stop: async () => undefined };
  let stopping = false;
  let server: EmbeddedPostgres = await startPostgres(dataDir);
  const first = server.url;
  const lost = keep();
  return {
    url: first,
    lost,
    stop: async () => {
      stopping = true;
      await server.stop();
    },
  };

  async function keep(): Promise<string> {
    await server.ended;
    if (stopping) return new Promise(() => undefined);
    onRestart("The database ended; starting it again.");
    try {
      server = await startPostgres(dataDir);
    } catch (cause) {
      return `The database ended and could not be started again: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
    if (server.url !== first) return "The database ended and its port was taken meanwhile.";
    await server.ended;
    return stopping ? new Promise(() => undefined) : `The database ended twice; see ${dataDir}/logs/postgres.log.`;
  }
}
