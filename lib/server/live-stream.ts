import { type ChangeFeed, type ChangeNews } from "@/lib/ports/change-feed";

import { type Session } from "./session";

const BEAT_MS = 15_000;
const RETRY_MS = 2_000;
/** A browser keeps one stream per window; more than this of one person is no browser. */
const MOST_OF_ONE = 24;
const MOST = 400;

export type Streams = Map<() => void, string>;
type Open = {
  readonly session: Session;
  readonly feed: Pick<ChangeFeed, "subscribe">;
  readonly streams: Streams;
  readonly signal: AbortSignal;
};

/**
 * News of every change as server-sent events, for as long as its person may read: `ready` at once, `news` with `{change, version}`, and a beat every
 * 15 s. It ends when the record can no longer tell, when the session has ended, when the reader goes, and with `endStreams`.
 */
export async function liveStream({ session, feed, streams, signal }: Open): Promise<Response> {
  const own = [...streams.values()].filter((id) => id === session.person.id).length;
  if (own >= MOST_OF_ONE || streams.size >= MOST) return unavailable("Too many windows are open.");
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let leave: (() => void) | undefined;
  const text = new TextEncoder();
  const end = (): void => {
    if (!streams.delete(end)) return;
    clearInterval(beat);
    leave?.();
    controller?.close();
  };
  const send = (said: string): void => {
    // The reader may have gone between two events.
    if (streams.has(end)) controller?.enqueue(text.encode(said));
  };
  const beat = setInterval(() => {
    send(": still here\n\n");
    session.isGood().then((good) => !good && end(), end);
  }, BEAT_MS);
  const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made), cancel: end });
  streams.set(end, session.person.id);
  signal.addEventListener("abort", end, { once: true });
  try {
    leave = await feed.subscribe({ onNews: (news) => send(`event: news\ndata: ${dataOf(news)}\n\n`), onLost: end });
  } catch {
    end();
    return unavailable("The record cannot be reached.");
  }
  // The reader may have gone while we subscribed.
  if (!streams.has(end)) leave();
  send(`retry: ${RETRY_MS}\nevent: ready\ndata: {}\n\n`);
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

/** Ends every stream, so that the process can stop. */
export function endStreams(streams: Streams): void {
  for (const end of [...streams.keys()]) end();
}

const dataOf = ({ change, version }: ChangeNews): string => JSON.stringify({ change, version });
const unavailable = (because: string): Response => new Response(because, { status: 503, headers: { "retry-after": "5" } });
