/**
 * The one holder of the world's state. Every change goes through `perform`, which writes the journal first; time passes by `settle`.
 * After a crash the snapshot is loaded and the journal's later entries are applied again.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { openJournal, type Journal, type Via } from "./journal";
import type { ShownClock } from "./shown-clock";
import { advance, applyEvent } from "./world/apply";
import type { WorldDescription } from "./world/description";
import type { WorldEvent } from "./world/events";
import { initialState } from "./world/initial-state";
import type { Refusal } from "./world/refusal";
import type { WorldState } from "./world/state";

const TICK_MS = 100;
const SNAPSHOT_MS = 200;

export type Deed = {
  readonly via: Via;
  readonly what: string;
  readonly detail: string;
  readonly cluster: string | null;
  readonly node: string | null;
  readonly key?: string | undefined;
  readonly ticket?: string | undefined;
};

export type DataCentre = {
  readonly clock: ShownClock;
  readonly journal: Journal;
  /** The state as of this moment. */
  settle: () => WorldState;
  perform: (event: WorldEvent, deed: Deed) => { refused: Refusal | null; value: string | null };
  /** Called after every change, and once a tick. */
  watch: (listener: (state: WorldState) => void) => void;
  stop: () => void;
};

export function openDataCentre(options: { stateDir: string; description: WorldDescription; clock: ShownClock; seed: string }): DataCentre {
  const { clock } = options;
  const file = join(options.stateDir, "snapshot.json");
  const journal = openJournal(join(options.stateDir, "journal.jsonl"));
  let state = restore(file, journal) ?? initialState(options.description, clock.now(), options.seed);
  let saved: WorldState | null = null;
  let savedAt = 0;
  const listeners: ((state: WorldState) => void)[] = [];

  const save = (): void => {
    if (saved === state) return;
    writeFileSync(`${file}.new`, JSON.stringify({ seq: journal.records.length, state }), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    saved = state;
    savedAt = Date.now();
  };
  const settle = (): WorldState => {
    const before = state;
    state = advance(state, clock.now());
    if (state !== before) for (const listener of listeners) listener(state);
    return state;
  };
  const perform: DataCentre["perform"] = (event, deed) => {
    const now = clock.now();
    const applied = applyEvent(state, event, now);
    journal.append({ at: new Date(now * 1000).toISOString(), ...deed, refused: applied.refused?.text, now, event });
    state = applied.state;
    for (const listener of listeners) listener(state);
    return { refused: applied.refused, value: applied.value };
  };
  save();
  const timer = setInterval(() => {
    settle();
    for (const listener of listeners) listener(state);
    if (Date.now() - savedAt >= SNAPSHOT_MS) save();
  }, TICK_MS);
  return {
    clock,
    journal,
    settle,
    perform,
    watch: (listener) => listeners.push(listener),
    stop: () => {
      clearInterval(timer);
      save();
      journal.close();
    },
  };
}

function restore(file: string, journal: Journal): WorldState | null {
  if (!existsSync(file)) return null;
  const kept = JSON.parse(readFileSync(file, "utf8")) as { seq: number; state: WorldState }; // written by save above
  const later = journal.records.filter((record) => record.seq > kept.seq);
  return later.reduce((state, record) => applyEvent(state, record.event, record.now).state, kept.state);
}
