import pg from "pg";
import { z } from "zod";
import type { ChangeFeed, ChangeNews } from "@/lib/ports/change-feed";

const CHANNEL = "clearance_changes";
const News = z.strictObject({ change: z.string(), cluster: z.string(), version: z.number() });
type Listener = Parameters<ChangeFeed["subscribe"]>[0];

/**
 * One connection per process listens for all its pages. It is opened by the first subscriber and closed with the last; when it is lost, every
 * subscriber is told and the next one opens another.
 */
export function changeFeed(connectionString: string): ChangeFeed {
  const listeners = new Set<Listener>();
  let opening: Promise<pg.Client> | null = null;

  const drop = (client: pg.Client): void => {
    opening = null;
    const told = [...listeners];
    listeners.clear();
    for (const listener of told) listener.onLost();
    client.end().catch(() => undefined); // it is lost already
  };
  const open = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, keepAlive: true });
    client.on("error", () => drop(client));
    client.on("end", () => opening !== null && listeners.size > 0 && drop(client));
    client.on("notification", ({ payload }) => {
      const news = newsOf(payload);
      if (news !== null) for (const listener of [...listeners]) listener.onNews(news);
    });
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
    return client;
  };
  const leave = async (listener: Listener): Promise<void> => {
    if (!listeners.delete(listener) || listeners.size > 0 || opening === null) return;
    const closing = opening;
    opening = null;
    await closing.then((client) => client.end()).catch(() => undefined); // nobody listens any more
  };

  return {
    subscribe: async (listener) => {
      listeners.add(listener);
      opening ??= open();
      try {
        await opening;
      } catch (cause) {
        listeners.delete(listener);
        opening = null;
        throw cause;
      }
      return () => void leave(listener);
    },
    close: async () => {
      const closing = opening;
      opening = null;
      const told = [...listeners];
      listeners.clear();
      for (const listener of told) listener.onLost();
      await closing?.then((client) => client.end()).catch(() => undefined); // it may be lost already
    },
  };
}

/** What the trigger wrote; anything else on the channel is nobody's news. */
function newsOf(payload: string | undefined): ChangeNews | null {
  try {
    const read = News.safeParse(JSON.parse(payload ?? ""));
    return read.success ? read.data : null;
  } catch {
    return null; // not ours
  }
}
