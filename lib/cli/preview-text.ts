import { printable } from "./printable";
import { minutesText } from "@/lib/core/kernel/duration-text";
import { foldHostlist } from "@/lib/core/kernel/hostlist";
import type { Plan } from "@/lib/core/plan/plan";
import type { PlanPreview } from "@/lib/core/planner/preview";

type Span = { readonly minMinutes: number; readonly maxMinutes: number };

/** The preview as lines for a person: what happens, how long it takes, what was left out and what must be accepted. */
export function previewText(plan: Plan, preview: PlanPreview): string {
  const { layout, durations, windows } = preview;
  const size = layout.batchSize;
  const lines = [
    plan.title,
    `${layout.batches.length} batches of up to ${size.used} nodes${size.because === null ? "" : ` (asked ${size.asked}: ${size.because})`}, lower bound ${layout.lowerBound}`,
    `Canaries: ${preview.canaries.join(", ") || "none"}`,
    ...preview.batches.map(
      (b) => `  batch ${b.index}: ${foldHostlist(b.nodes.map((n) => n.name))} · ${b.gpusOut} GPUs out · ${percent(b.percentOut)}`,
    ),
    "On each target:",
    ...preview.procedure.map(
      (stage) => `  ${"command" in stage ? `${stage.command.name} (${stage.command.on}): ${stage.command.run}` : stage.kind}`,
    ),
    `Batch work ${span(durations.batchWork)}, delays ${minutesText(durations.delaysMinutes)}, together ${span(durations.total)}`,
    `Beside it: preflight ${span(durations.preflight)}, canaries ${span(durations.canaries)} and people's time, drain waits ${durations.drainWaitMinutes === null ? "cannot be told" : minutesText(durations.drainWaitMinutes)}, fabric and spot validation ${span(durations.fabricAndSpot)}`,
    ...windows.map((w) => `Window ${w.startUtc} to ${w.endUtc}: ${w.fits ? "fits" : (w.because ?? "does not fit")}`),
    ...preview.outOfService.map((n) => `Out of service now: ${n.name} ${n.state}${n.reason === null ? "" : `, ${n.reason}`}`),
    ...layout.notPlanned.map((n) => `Not planned: ${n.name}, ${n.because}`),
    ...layout.findings.map((f) => `Finding ${f.code}: ${f.text} Accepted by: ${f.acceptedBy}`),
    ...layout.conflicts.map((c) => `Conflict ${c.code}: ${c.text}`),
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

const span = (s: Span): string =>
  s.minMinutes === s.maxMinutes ? minutesText(s.minMinutes) : `${minutesText(s.minMinutes)}-${minutesText(s.maxMinutes)}`;
const percent = (value: number): string => `${Number(value.toFixed(3))} %`;
