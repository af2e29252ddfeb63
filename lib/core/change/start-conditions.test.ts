import { describe, expect, it } from "vitest";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { aDecision } from "@/lib/testing/a-decision";
import { aHold } from "@/lib/testing/a-hold";
import { NOW, at } from "@/lib/testing/a-moment";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { Policy } from "./policy";
import type { Snapshot } from "./snapshot";
import { startConditions } from "./start-conditions";

const policy = Policy.parse({});
const codes = (s: Snapshot, now = NOW) => startConditions(s, policy, now).map((r) => r.code);
const window = (from: number, to: number) => [{ id: "w", startsAt: at(from), endsAt: at(to), timezone: "UTC" }];
const last = (endedAt: Date) => ({ endedAt, changeId: "chg-0" as ChangeId, type: "os_kernel" as const });
const fresh = { change: { startedAt: null, state: "PREFLIGHT" as const } };

describe("whether a node may go out now (R11, R7.6)", () => {
  const rows: readonly [string, Snapshot, readonly string[]][] = [
    ["an open window with room, nothing held: yes", aSnapshot(), []],
    ["the window has not opened", aSnapshot({ windows: window(1, 600) }), ["window_closed"]],
    ["a window ends in the moment it ends", aSnapshot({ windows: window(-600, 0) }), ["window_closed"]],
    [
      "15 minutes are left and 15 are needed: the batch would end with the window, not before it",
      aSnapshot({ windows: window(-60, 15) }),
      ["window_too_short"],
    ],
    ["16 minutes are left", aSnapshot({ windows: window(-60, 16) }), []],
    ["a freeze lies over now", aSnapshot({ freezes: [{ startsAt: at(-5), endsAt: at(5), reason: "release" }] }), ["freeze"]],
    ["a freeze has just ended", aSnapshot({ freezes: [{ startsAt: at(-5), endsAt: at(0), reason: "release" }] }), []],
    ["S8: a minute before 14 days are over", aSnapshot({ ...fresh, lastMaintenance: last(at(-14 * 24 * 60 + 1)) }), ["spacing"]],
    ["S8: exactly 14 days after the last maintenance", aSnapshot({ ...fresh, lastMaintenance: last(at(-14 * 24 * 60)) }), []],
    ["a change that has begun needs no spacing for its next window", aSnapshot({ lastMaintenance: last(at(-60)) }), []],
    ["a disposable cluster needs no spacing", aSnapshot({ ...fresh, cluster: { disposable: true }, lastMaintenance: last(at(-60)) }), []],
    ["preflight passed before this window opened", aSnapshot({ change: { preflightPassedAt: at(-61) } }), ["preflight_old"]],
    [
      "preflight passed more than 12 h ago",
      aSnapshot({ windows: window(-800, 600), change: { preflightPassedAt: at(-721) } }),
      ["preflight_old"],
    ],
    ["held", aSnapshot({ holds: [aHold()] }), ["held"]],
    ["nodes go back", aSnapshot({ change: { state: "ROLLBACK" } }), ["state"]],
    ["another change has the hand", aSnapshot({ handOf: "chg-9" as ChangeId }), ["other_change"]],
    [
      "a stop was decided",
      aSnapshot({ decisions: [aDecision({ kind: "failed_batch", choice: "stop", on: { what: "batch", id: "1" } })] }),
      ["stopped"],
    ],
    ["an emergency that was not announced", aSnapshot({ change: { profile: "emergency" }, windows: [] }), ["not_yet"]],
    ["S9: production, a minute before two hours", aSnapshot({ change: { profile: "emergency" }, announcedAt: at(-119) }), ["notice"]],
    [
      "S9: production, two hours after the announcement, outside any window",
      aSnapshot({ change: { profile: "emergency" }, windows: [], announcedAt: at(-120) }),
      [],
    ],
    [
      "S9: 30 minutes where it is no production",
      aSnapshot({ change: { profile: "emergency" }, cluster: { production: false }, announcedAt: at(-30) }),
      [],
    ],
    ["a rehearsal needs no window", aSnapshot({ change: { profile: "rehearsal" }, windows: [] }), []],
  ];
  it.each(rows)("%s", (_says, s, expected) => expect(codes(s)).toEqual(expected));
});
