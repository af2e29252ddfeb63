import { endStreams, liveStream, type Streams } from "@/lib/server/live-stream";
import { currentSession } from "@/lib/server/session";
import { wired } from "@/lib/server/wired";

// A module is made again when its file changes, and the streams of the one before are still open.
const kept = globalThis as typeof globalThis & { clearanceStreams?: Streams };

export async function GET(request: Request): Promise<Response> {
  const session = await currentSession();
  if (session === null) return new Response("Nobody is signed in.", { status: 401 });
  if (kept.clearanceStreams === undefined) {
    const streams: Streams = (kept.clearanceStreams = new Map());
    process.once("SIGTERM", () => endStreams(streams));
    process.once("SIGINT", () => endStreams(streams));
  }
  return await liveStream({ session, feed: (await wired()).feed, streams: kept.clearanceStreams, signal: request.signal });
}
