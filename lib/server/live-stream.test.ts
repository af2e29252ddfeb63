import { afterEach, expect, it, vi } from "vitest";
import type { ChangeFeed } from "@/lib/ports/change-feed";
import type { PersonView } from "@/lib/ports/rows";
import { endStreams, liveStream, type Streams } from "./live-stream";

type Listener = Parameters<ChangeFeed["subscribe"]>[0];
const AK = { id: "AK", name: "AK" } as unknown as PersonView;
afterEach(() => vi.useRealTimers());

function aSite(isGood = () => Promise.resolve(true)) {
  const listeners = new Set<Listener>();
  const feed = {
    subscribe: (listener: Listener) => {
      listeners.add(listener);
      return Promise.resolve(() => void listeners.delete(listener));
    },
  };
  const gone = new AbortController();
  return { listeners, gone, open: { session: { person: AK, isGood }, feed, streams: new Map() as Streams, signal: gone.signal } };
}
const reading = (response: Response) => {
  const reader = response.body!.getReader();
  return { reader, next: async () => new TextDecoder().decode((await reader.read()).value) };
};

it("says that it is ready, then each news; the words hold nothing but the change and its version", async () => {
  const { listeners, open } = aSite();
  const response = await liveStream(open);
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const { next } = reading(response);
  expect(await next()).toBe("retry: 2000\nevent: ready\ndata: {}\n\n");
  for (const one of listeners) one.onNews({ change: "CH-101", cluster: "c", version: 7 });
  expect(await next()).toBe('event: news\ndata: {"change":"CH-101","version":7}\n\n');
  endStreams(open.streams);
  expect([await next(), listeners.size, open.streams.size]).toEqual(["", 0, 0]);
});

it("ends with its reader, with the record, and with the session", async () => {
  vi.useFakeTimers();
  const cases: ((site: ReturnType<typeof aSite>) => void | Promise<unknown>)[] = [
    ({ gone }) => gone.abort(),
    ({ listeners }) => [...listeners].forEach((one) => one.onLost()),
    () => vi.advanceTimersByTimeAsync(15_000),
  ];
  for (const [i, act] of cases.entries()) {
    const site = aSite(() => (i === 2 ? Promise.resolve(false) : Promise.resolve(true)));
    const { reader } = reading(await liveStream(site.open));
    await reader.read();
    await act(site);
    const rest = [await reader.read(), await reader.read()];
    expect([rest.some(({ done }) => done), site.listeners.size, site.open.streams.size]).toEqual([true, 0, 0]);
  }
});

it("is refused where the record is away or too many are open, and nothing is left behind", async () => {
  const { open } = aSite();
  const away = { ...open, feed: { subscribe: () => Promise.reject(new Error("away")) } };
  expect([(await liveStream(away)).status, open.streams.size]).toEqual([503, 0]);
  for (let i = 0; i < 24; i++) expect((await liveStream({ ...open, signal: new AbortController().signal })).status).toBe(200);
  expect([(await liveStream(open)).status, open.streams.size]).toEqual([503, 24]);
  endStreams(open.streams);
});
