import { LeafGrid, type GridCell } from "@/components/change/leaf-grid";
import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { minutesText } from "@/lib/core/kernel/duration-text";
import { foldHostlist } from "@/lib/core/kernel/hostlist";
import { byName } from "@/lib/core/kernel/natural-order";
import { type PlanPreview } from "@/lib/core/planner/preview";

type Span = { readonly minMinutes: number; readonly maxMinutes: number };

/** What would come of the plan: the same picture that its approver sees (R5.8). */
export function PlanPreviewPanel({ preview }: { preview: PlanPreview }) {
  const { layout, durations, batches } = preview;
  const nodes = layout.batches.flatMap((batch) => batch.nodes);
  const worst = batches.reduce((most, batch) => (batch.gpusOut > most.gpusOut ? batch : most), { gpusOut: 0, percentOut: 0 });
  return (
    <>
      <Section title="Preview" meta="the approver sees the same">
        <dl className="panel nums">
          <Num name="Nodes" value={`${nodes.length}`} unit={`in plan, ${layout.notPlanned.length} not`} />
          <Num name="Batches" value={`${batches.length}`} unit={`× ${layout.batchSize.used}, at least ${layout.lowerBound}`} />
          <Num name="Out per batch" value={`${worst.gpusOut} GPUs`} unit={`${worst.percentOut.toFixed(2)} % of nodes`} />
          <Num name="Canaries" value={`${preview.canaries.length}`} unit={foldHostlist(preview.canaries)} />
          <Num name="Work" value={span(durations.batchWork)} unit="" />
          <Num name="With delays" value={span(durations.total)} unit="" />
          <Num name="Preflight, canaries" value={`${span(durations.preflight)}, ${span(durations.canaries)}`} unit="" />
          <Num
            name="Waits for jobs"
            value={durations.drainWaitMinutes === null ? "not known" : minutesText(durations.drainWaitMinutes)}
            unit=""
          />
        </dl>
        {layout.batchSize.because !== null && (
          <p className="note">
            Asked for {layout.batchSize.asked} nodes a batch, used {layout.batchSize.used}: {layout.batchSize.because}.
          </p>
        )}
      </Section>
      {layout.conflicts.map((conflict) => (
        <Notice key={conflict.text} tone="fail">
          <b>Closed:</b> {conflict.text}
        </Notice>
      ))}
      {layout.findings.map((finding) => (
        <Notice
          key={finding.text}
          tone="open"
          end={<span className="src">{finding.acceptedBy === "nobody" ? "change the plan" : `${finding.acceptedBy} accepts it`}</span>}
        >
          {finding.text}
        </Notice>
      ))}
      <Grid preview={preview} />
      {preview.windows.length > 0 && (
        <Section title="Windows">
          <ul className="panel rows">
            {preview.windows.map((window) => (
              <li key={window.startUtc}>
                <span className="main">
                  <Instant iso={window.startUtc} /> to <Instant iso={window.endUtc} />, {minutesText(window.minutes)}
                </span>
                <span className="end">{window.fits ? "holds the whole rollout" : (window.because ?? "too short for all of it")}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {preview.outOfService.length > 0 && (
        <Section title="Out of service now" meta="they keep their reason and are left alone">
          <ul className="panel rows tall">
            {preview.outOfService.map((node) => (
              <li key={node.name}>
                <span className="mono">{node.name}</span>
                <span className="main">
                  {node.state} <span className="src">{node.reason}</span>
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {layout.notPlanned.length > 0 && (
        <Section title="Not in plan" meta={`${layout.notPlanned.length}`}>
          <ul className="panel rows tall">
            {layout.notPlanned.map((node) => (
              <li key={node.name}>
                <span className="mono">{node.name}</span>
                <span className="main">{node.because}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

function Grid({ preview }: { preview: PlanPreview }) {
  const nodes = preview.batches.flatMap((batch) => batch.nodes.map((node) => ({ ...node, batch: batch.index })));
  const leaves = [...new Set(nodes.flatMap((node) => node.leaves))].sort(byName);
  if (leaves.length === 0) return null;
  const cells = nodes.flatMap((node): GridCell[] => {
    const leaf = node.leaves[0];
    const title = `${node.name}, ${leaf ?? ""}, batch ${node.batch}${node.canary ? ", canary, goes first" : ""}, ${node.class}`;
    return leaf === undefined
      ? []
      : [{ leaf, column: node.batch, look: node.canary ? "next" : "plan", title, ...(node.canary ? { glyph: "C" } : {}) }];
  });
  return (
    <Section title="Batches by leaf" meta={`${leaves.length} leaves`}>
      <div className="panel pad">
        <LeafGrid
          leaves={leaves}
          columns={preview.batches.map((batch) => batch.index)}
          cells={cells}
          label={`${leaves.length} leaves by ${preview.batches.length} batches`}
        />
        <p className="legend">
          <span>C: canary, goes first</span>
          <span>outline: planned</span>
        </p>
      </div>
    </Section>
  );
}

function Num({ name, value, unit }: { name: string; value: string; unit: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} <small>{unit}</small>
      </dd>
    </div>
  );
}

const span = ({ minMinutes, maxMinutes }: Span): string =>
  minMinutes === maxMinutes ? minutesText(minMinutes) : `${minutesText(minMinutes)}–${minutesText(maxMinutes)}`;
