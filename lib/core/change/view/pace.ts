import { median } from "@/lib/core/check/statistics";
import { MAINTENANCE_TYPES } from "@/lib/core/plan/maintenance-types";
import { openNow } from "@/lib/core/window/window";
import type { CommandView } from "../command";
import { planInForce } from "../narrowing";
import type { Snapshot } from "../snapshot";
import type { ChangeView } from "./change-view";

const MINUTE_MS = 60_000;
const OVER = ["succeeded", "decided"];

type Range = { readonly least: number; readonly most: number };
/**
 * How a rollout goes against its window: how many batches fit before it closes and when the last would be through if it could go on. Spans leave the
 * canaries out. Measured against the window that is open, else the next one, else the last one; null without a window or a batch. An estimate,
 * never a verdict.
 */
export function paceOf(s: Snapshot, now: Date, commands: readonly CommandView[]): ChangeView["pace"] {
  const booked = openNow(s.windows, now) ?? s.windows.find((one) => one.startsAt > now) ?? s.windows.at(-1);
  if (booked === undefined || s.batches.length === 0) return null;
  const { minMinutes, maxMinutes } = MAINTENANCE_TYPES[s.change.type].minutes;
  const delayMinutes = planInForce(s.plan, s.narrowing).interBatchDelayMs / MINUTE_MS;
  const spans = spansOf(s, commands);
  const measured = spans.flatMap(({ from, to }) => (to === null ? [] : [(to.getTime() - from.getTime()) / MINUTE_MS]));
  const open = s.batches.filter((batch) => !OVER.includes(batch.state) && batch.state !== "failed");
  const waiting = s.targets.filter((target) => target.step === "waiting");
  const left = { batches: open.length, nodes: waiting.length };
  const from = new Date(Math.max(now.getTime(), booked.startsAt.getTime()));
  const minutesLeft = Math.max(0, (booked.endsAt.getTime() - from.getTime()) / MINUTE_MS);
  const fit = (minutes: number): number => Math.min(left.batches, Math.floor((minutesLeft + delayMinutes) / (minutes + delayMinutes)));
  const takes = (minutes: number): number => left.batches * minutes + (left.batches - 1) * delayMinutes;
  const at = (minutes: number): string => new Date(from.getTime() + takes(minutes) * MINUTE_MS).toISOString();
  const fits = { least: fit(maxMinutes), most: fit(minMinutes) };
  return {
    booked: { startsAt: booked.startsAt.toISOString(), endsAt: booked.endsAt.toISOString(), timezone: booked.timezone },
    spans: spans.map(({ batch, from: begun, to }) => ({ batch, from: begun.toISOString(), to: to?.toISOString() ?? null })),
    perBatch: { minMinutes, maxMinutes, measuredMinutes: measured.length === 0 ? null : Math.round(median(measured)) },
    delayMinutes,
    left,
    fits,
    finish: left.batches === 0 ? null : { earliest: at(minMinutes), latest: at(maxMinutes) },
    sentence: say(s, left.batches, fits, left.nodes),
  };
}

function spansOf(s: Snapshot, commands: readonly CommandView[]) {
  const batchOf = new Map(s.targets.filter((target) => target.role === "member").map((target) => [target.id as string, target.batch]));
  return s.batches.flatMap(({ number, state }) => {
    const own = commands.filter((command) => command.targetId !== null && batchOf.get(command.targetId) === number);
    const begun = own.flatMap(({ startedAt }) => (startedAt === null ? [] : [startedAt.getTime()]));
    const ended = own.flatMap(({ finishedAt }) => (finishedAt === null ? [] : [finishedAt.getTime()]));
    if (begun.length === 0) return [];
    const over = OVER.includes(state) || state === "failed";
    return [{ batch: number, from: new Date(least(begun)), to: over && ended.length > 0 ? new Date(most(ended)) : null }];
  });
}

function say(s: Snapshot, left: number, fits: Range, nodes: number): string {
  if (s.change.endedAt !== null) return "The change has ended.";
  if (left === 0) return "No batch is left.";
  if (fits.least >= left) return `${count(left, "batch", "batches")} left, and all fit into this window even at the slow pace.`;
  const [few, many] = [left - fits.most, left - fits.least];
  const size = nodes / left;
  const range = (a: number, b: number): string => (a === b ? `${a}` : `${a} to ${b}`);
  const out = `${range(few, many)} of ${count(left, "batch", "batches")} (${range(Math.round(few * size), Math.round(many * size))} nodes)`;
  return few === 0
    ? `At the slow pace ${count(many, "batch does", "batches do")} not fit into this window. The rollout stops between batches, never inside one.`
    : `At this pace ${out} do not fit into this window and need another. The rollout stops between batches, never inside one.`;
}

const count = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;
const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));
