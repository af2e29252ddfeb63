import { blocks } from "@/lib/core/check/verdict";
import { lackingIn } from "./gate";
import { newestPreflight } from "./gate-of-preflight";
import { notYet, onChange, orNone, settled, when, type PermitRule, type Possible } from "./permit-look";
import type { Reason } from "./reason";
import type { CheckView, Snapshot } from "./snapshot";
import { openWindow } from "./start-conditions";

/** Approved, and not running or fresh already; a window that opened since asks for a new run (R7.7). */
export const mayRunPreflight: PermitRule = ({ s, gates, now }) => {
  const running = newestPreflight(s).some((c) => c.verdict === null);
  const passedAt = s.change.preflightPassedAt;
  const booking = openWindow(s, now);
  const stale = passedAt === null || (booking !== null && booking.startsAt > passedAt);
  const fresh = s.change.state !== "PENDING" && gates.preflight.is === "done" && !stale;
  return onChange([
    ...lackingIn(gates.plan_approval),
    ...when(running && s.change.state !== "PENDING", notYet("preflight is being judged", "wait for its rows")),
    ...when(fresh, settled("preflight has passed and is fresh")),
  ]);
};

/** Of the present pass: a check of an earlier generation or preflight is history. */
export const isCurrent = (s: Snapshot, c: CheckView): boolean =>
  c.gate === "preflight"
    ? newestPreflight(s).includes(c)
    : c.targetId === null || s.targets.some((t) => t.id === c.targetId && t.generation === c.generation);

const nameOf = (s: Snapshot, c: CheckView): string => s.targets.find((t) => t.id === c.targetId)?.name ?? "the change";

/** Unresolved, or waiting longer than its evidence needs. A failed preflight row may be read again, another failure may
    not (R2.3). The validations after the last batch run again as a whole, and so does the preflight of a draft. */
export const mayRunCheck: PermitRule = ({ s, now }) => {
  const late = (c: CheckView): boolean => c.verdict === null && c.settlesAt !== null && c.settlesAt < now;
  const elsewhere = (c: CheckView): boolean =>
    c.gate === "fabric_validation" || c.gate === "spot_validation" || (c.gate === "preflight" && s.change.state === "PENDING");
  const blocking = s.checks.filter((c) => isCurrent(s, c) && !elsewhere(c) && blocks(c, now) && (c.verdict !== null || late(c)));
  return orNone(
    blocking.map((c): Possible => {
      const final = c.verdict === "fail" && c.gate !== "preflight";
      return {
        on: c.id,
        because: when(final, { code: "check_failed", checkId: c.id, name: c.name, on: nameOf(s, c), because: c.because }),
      };
    }),
    "no check is unresolved",
    "nothing to read again",
  );
};

/** Only an unresolved check that may be waived; a failure never (R2.7). */
export const mayWaive: PermitRule = ({ s, now }) =>
  orNone(
    s.checks
      .filter((c) => isCurrent(s, c) && c.verdict !== null && blocks(c, now))
      .map((c): Possible => ({ on: c.id, because: waiveReasons(c, nameOf(s, c)) })),
    "no check is unresolved",
    "nothing to waive",
  );

function waiveReasons(c: CheckView, on: string): readonly Reason[] {
  if (c.verdict === "fail") return [{ code: "check_failed", checkId: c.id, name: c.name, on, because: c.because }];
  return when(!c.waivable, { code: "not_waivable", name: c.name, because: "nothing else shows what it shows" });
}

/** A check that lacks evidence, or a command that a person performs by hand (R9.9). */
export const mayUploadEvidence: PermitRule = ({ s, now }) => {
  const checks = s.checks.filter((c) => isCurrent(s, c) && c.spec.kind !== "preflight" && c.verdict !== "fail" && blocks(c, now));
  const byHand = s.change.execution === "manual" ? s.commands.filter((c) => c.finishedAt === null) : [];
  return orNone(
    [...byHand.map((c) => ({ on: c.key as string, because: [] })), ...checks.map((c) => ({ on: c.id, because: [] }))],
    "no check waits for evidence",
    "nothing to upload",
  );
};
