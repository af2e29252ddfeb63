"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";

import { paths } from "@/lib/client/paths";

type News = { readonly change: string; readonly version: number };
type Listener = (news: News | "again") => void;
type Live = {
  /** `live`: the stream is open. `away`: it is not, since `awaySince` of this browser's clock. */
  readonly is: "connecting" | "live" | "away";
  readonly awaySince: number | null;
  /** When the server last looked at what stands on the page, this browser's clock; null: the page says nothing of that. */
  readonly lookedAt: number | null;
  readonly looked: () => void;
  /** `again`: the stream is back, and news may have been missed. */
  readonly listen: (listener: Listener) => () => void;
};

const LiveContext = createContext<Live | null>(null);
const AGAIN_MS = 5_000;

/** One stream of news per window, and the cache of what leaves ask the server for. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 10_000 } } }));
  const listeners = useRef(new Set<Listener>());
  const [is, setIs] = useState<Live["is"]>("connecting");
  const [awaySince, setAwaySince] = useState<number | null>(null);
  const [lookedAt, setLookedAt] = useState<number | null>(null);
  useEffect(
    () =>
      openStream({
        onOpen: (first) => {
          setIs("live");
          setAwaySince(null);
          if (!first) for (const listener of listeners.current) listener("again");
        },
        onNews: (news) => {
          for (const listener of listeners.current) listener(news);
        },
        onAway: () => {
          setIs("away");
          setAwaySince((since) => since ?? Date.now());
        },
      }),
    [],
  );
  const looked = useCallback(() => setLookedAt(Date.now()), []);
  const listen = useCallback((listener: Listener) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  }, []);
  const live = useMemo(() => ({ is, awaySince, lookedAt, looked, listen }), [is, awaySince, lookedAt, looked, listen]);
  return (
    <QueryClientProvider client={client}>
      <LiveContext value={live}>{children}</LiveContext>
    </QueryClientProvider>
  );
}

export function useLive(): Live {
  const live = useContext(LiveContext);
  if (live === null) throw new Error("a live part stands outside of LiveProvider");
  return live;
}

type Told = { readonly onOpen: (first: boolean) => void; readonly onNews: (news: News) => void; readonly onAway: () => void };

/** Keeps a stream open: the browser tries again by itself after a cut; after a refusal it does not, so we do. Returns how to end it. */
function openStream({ onOpen, onNews, onAway }: Told): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let opened = 0;
  const open = (): void => {
    source = new EventSource(paths.live());
    source.addEventListener("ready", () => onOpen(opened++ === 0));
    source.addEventListener("news", (event: MessageEvent<string>) => onNews(JSON.parse(event.data) as News));
    source.addEventListener("error", () => {
      onAway();
      if (source?.readyState !== EventSource.CLOSED) return;
      source.close();
      timer = setTimeout(open, AGAIN_MS);
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
