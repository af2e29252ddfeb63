"use client";

import { useSyncExternalStore } from "react";

type Props = {
  iso: string;
  /** Said instead of the moment: its age. The moment itself stands in the title, and on paper. */ age?: string;
  stale?: boolean;
};

const never = () => () => undefined;
const inUtc = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
const here = (at: Date): string =>
  at.toLocaleString("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

/** A moment in the viewer's own zone with the zone's name; the exact UTC time on hover. The server, which knows no viewer, says it in UTC. */
export function Instant({ iso, age, stale = false }: Props) {
  const at = new Date(iso);
  const text = useSyncExternalStore(
    never,
    () => here(at),
    () => inUtc(at),
  );
  return (
    <time dateTime={iso} title={`${at.toISOString().slice(0, 19).replace("T", " ")} UTC`} className={stale ? "stale" : undefined}>
      {age ?? text}
    </time>
  );
}
