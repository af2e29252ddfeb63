import { unresolvedCheck, type ReadingCheck } from "./reading-check";
import type { Reading } from "./reading";

/** A local time without its zone is off by at most this much. */
const ZONE_SLACK_MS = 14 * 3600_000;
const MAX_AGE_MS = 24 * 3600_000;
const SAMPLE_AGE_MS = 5 * 60_000;
const CLOCK_SLACK_MS = 60_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Whether the output is younger than the last reboot and not too old, by the times it prints itself. Where that cannot be told it is unresolved. */
export function judgeTime(
  reading: Reading,
  { lastRebootAt, now, takenAt }: { readonly lastRebootAt: Date | null; readonly now: Date | null; readonly takenAt: Date | null },
): readonly ReadingCheck[] {
  if (lastRebootAt === null && now === null) return [];
  const told = takenAt === null ? [] : [{ text: takenAt.toISOString(), at: takenAt.getTime(), slackMs: 0, maxAgeMs: MAX_AGE_MS }];
  const printed = reading.values.flatMap((value) => {
    if (value.unit === "local time") return [{ text: value.text, at: localTime(value.text), slackMs: ZONE_SLACK_MS, maxAgeMs: MAX_AGE_MS }];
    if (value.name === "evaluated_at" && value.value !== null)
      return [{ text: value.text, at: value.value * 1000, slackMs: 0, maxAgeMs: SAMPLE_AGE_MS }];
    return [];
  });
  const times = [...told, ...printed.filter((time) => takenAt === null || time.slackMs === 0)];
  if (times.length === 0)
    return lastRebootAt === null
      ? []
      : [
          unresolvedCheck(
            "time",
            "run",
            "before_reboot",
            "the output holds no time: whether it is younger than the last reboot is not known",
          ),
        ];
  const checks = times.flatMap(({ text, at, slackMs, maxAgeMs }) => {
    if (at === null) return [unresolvedCheck("time", "run", "stale", `"${text.slice(0, 60)}" is no time`)];
    if (lastRebootAt !== null && at + slackMs <= lastRebootAt.getTime())
      return [unresolvedCheck("time", "run", "before_reboot", `taken ${text}, before the last reboot ${lastRebootAt.toISOString()}`)];
    if (lastRebootAt !== null && at - slackMs <= lastRebootAt.getTime())
      return [
        unresolvedCheck(
          "time",
          "run",
          "before_reboot",
          `taken ${text} in a zone that is not named: whether that is after the reboot ${lastRebootAt.toISOString()} is not known`,
        ),
      ];
    if (now !== null && at + slackMs + maxAgeMs < now.getTime())
      return [unresolvedCheck("time", "run", "stale", `taken ${text}, too old at ${now.toISOString()}`)];
    if (now !== null && at - slackMs > now.getTime() + CLOCK_SLACK_MS)
      return [unresolvedCheck("time", "run", "sources_disagree", `taken ${text}, after ${now.toISOString()}: clocks differ`)];
    return [];
  });
  return checks.slice(0, 1);
}

/** "2026-11-18 02:11:04", "2026/11/18 02:14:09.114" or "Wed Nov 18 02:14:09 2026", as if it were UTC. */
function localTime(text: string): number | null {
  const plain = /^(\d{4})[-/](\d\d)[-/](\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d+)?$/.exec(text);
  const named = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})$/.exec(text);
  const parts = plain
    ? plain.slice(1).map(Number)
    : named
      ? [Number(named[6]), MONTHS.indexOf(named[1] ?? "") + 1, ...named.slice(2, 6).map(Number)]
      : null;
  if (parts === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  return month < 1 ? null : Date.UTC(year, month - 1, day, hour, minute, second);
}
