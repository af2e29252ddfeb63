"use client";

import { useEffect, useState } from "react";

import { useLive } from "./live-provider";

const PATIENCE_MS = 15_000;

/** Whether what stands here follows the record, in a word, a shape and a colour, and how old it is. */
export function LiveState() {
  const { is, awaySince, lookedAt } = useLive();
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const age = lookedAt === null || now === null ? null : Math.max(0, Math.floor((now - lookedAt) / 1_000));
  const old = is === "away" && now !== null && awaySince !== null && now - awaySince > PATIENCE_MS;
  const [tone, word] =
    is === "live" ? ["live", "Live"] : old ? ["live old", "Last update"] : ["live re", is === "connecting" ? "Connecting" : "Reconnecting"];
  return (
    <span className={tone} role="status" aria-label={`${word}${old && age !== null ? ` ${age} s ago` : ""}`}>
      {word} {age !== null && <small>{old ? `${age} s ago` : `· ${age} s`}</small>}
    </span>
  );
}
