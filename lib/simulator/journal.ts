/** Everything that was ever done to the data centre from outside: one line each, on disk before the effect answers. */
import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from "node:fs";

import type { WorldEvent } from "./world/events";

export type Via = "rest" | "scontrol" | "ssh" | "control" | "simulator";

export type JournalEntry = {
  readonly seq: number;
  /** Shown time, ISO. */
  readonly at: string;
  readonly cluster: string | null;
  readonly node: string | null;
  readonly via: Via;
  readonly what: string;
  readonly detail: string;
  /** The product's own name for the thing, where the request carried one. */
  readonly key?: string | undefined;
  /** The request was not carried out, for this reason. */
  readonly refused?: string | undefined;
};

/** `ticket` names the request of a stand-in, so that it is not carried out twice. */
export type JournalRecord = JournalEntry & { readonly now: number; readonly event: WorldEvent; readonly ticket?: string | undefined };

export type Journal = {
  readonly records: readonly JournalRecord[];
  append: (record: Omit<JournalRecord, "seq">) => JournalRecord;
  close: () => void;
};

export function openJournal(file: string): Journal {
  const records = existsSync(file) ? readRecords(file) : [];
  const fd = openSync(file, "a", 0o600);
  return {
    records,
    append: (record) => {
      const numbered = { seq: records.length + 1, ...record };
      writeSync(fd, `${JSON.stringify(numbered)}\n`);
      records.push(numbered);
      return numbered;
    },
    close: () => closeSync(fd),
  };
}

/** A last line without its end was being written when the process died: its effect never answered, so it is cut off. */
function readRecords(file: string): JournalRecord[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
  const lines = bytes.subarray(0, end).toString("utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as JournalRecord); // written by append above
}
