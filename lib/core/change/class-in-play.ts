import type { ClassId } from "@/lib/core/kernel/ids";
import type { ReportView, Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";
import type { Target } from "./target";

/** Left out of this change, by a person or because it was not ours to touch: needs no canary and holds up no batch. */
export const isLeftOut = (target: Target): boolean => {
  const traits = STEP_TRAITS[target.step];
  return traits.settled && !traits.holdsSlot && !traits.touched;
};

/** Something may still happen to it, or it is accepted; who went back, failed to, or was handed over is an exception that was decided. */
const counts = (target: Target): boolean => !STEP_TRAITS[target.step].settled || target.step === "accepted" || target.step === "unresolved";

/**
 * Classes that still have something to do or have had it done: each needs its own canary, report and sign-off (R3.1). A class of which nobody is left
 * to go out and nobody was accepted needs none: it must not keep the change open (R7.3).
 */
export const classesInPlay = (s: Snapshot): readonly ClassId[] => [...new Set(s.targets.filter(counts).map((t) => t.classId))];

export const labelOfClass = (s: Snapshot, classId: ClassId): string => s.classes.find((c) => c.id === classId)?.label ?? `class ${classId}`;

/** Only the newest report of a class can count. */
export const newestReport = (s: Snapshot, classId: ClassId): ReportView | null =>
  s.reports.reduce<ReportView | null>(
    (last, report) => (report.classId === classId && (last === null || report.number > last.number) ? report : last),
    null,
  );
