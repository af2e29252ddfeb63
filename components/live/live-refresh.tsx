"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

import { useLive } from "./live-provider";

type Props = {
  /** When the server looked; another one means that it has looked again. */ at: string;
  /** The change that the page is about; without it every change's news count. */ change?: string;
};

/** Not more often than this, however much happens. */
const GAP_MS = 2_000;
/** Ages, jobs and nodes move without a word of any change. */
const STILL_MS = 20_000;

/** Looks again when the record has moved on, while the page is watched and the server is there. */
export function LiveRefresh({ at, change }: Props) {
  const router = useRouter();
  const { is, listen, looked } = useLive();
  useEffect(looked, [at, looked]);
  useEffect(() => {
    // With the server away a look would replace the page by the browser's own error.
    if (is !== "live") return;
    let due: ReturnType<typeof setTimeout> | undefined;
    let last = Date.now();
    const look = (): void => {
      due = undefined;
      if (document.visibilityState !== "visible") return;
      last = Date.now();
      router.refresh();
    };
    const soon = (): void => void (due ??= setTimeout(look, Math.max(50, last + GAP_MS - Date.now())));
    const unheard = listen((news) => {
      if (news === "again" || change === undefined || news.change === change) soon();
    });
    const still = setInterval(() => Date.now() - last >= STILL_MS && look(), 5_000);
    document.addEventListener("visibilitychange", soon);
    return () => {
      unheard();
      clearTimeout(due);
      clearInterval(still);
      document.removeEventListener("visibilitychange", soon);
    };
  }, [change, is, listen, router]);
  return null;
}
