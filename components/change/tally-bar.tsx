import { Section } from "@/components/ui/section";
import { foldHostlist } from "@/lib/core/kernel/hostlist";
import { NODE_OUTCOMES } from "@/lib/core/change/step";
import { type ChangeView } from "@/lib/core/change/view/change-view";

const KIND: Readonly<Record<string, string>> = {
  Accepted: "ok",
  Draining: "run",
  Updating: "run",
  Rebooting: "run",
  Validating: "run",
  "Rolled back": "old",
  Failed: "fail",
  "Rollback failed": "fail",
  Unresolved: "open",
};
/** Fixed, in every bar and table: what is accepted, goes on, went back, failed, is unknown, and the rest. */
const ORDER = ["Accepted", "Draining", "Updating", "Rebooting", "Validating", "Rolled back", "Failed", "Rollback failed", "Unresolved"];
const orderOf = (word: string): number =>
  ORDER.includes(word) ? ORDER.indexOf(word) : ORDER.length + NODE_OUTCOMES.indexOf(word as never);

/** Every planned node in exactly one word; the counts add up to the plan (R8.6). */
export function TallyBar({ view }: { view: Pick<ChangeView, "tally" | "targets" | "capacity"> }) {
  const total = view.targets.length;
  const shown = shownOf(view.tally);
  return (
    <Section
      title="Nodes of the plan"
      id="totals"
      end={`out of service now ${view.capacity.ours.nodes} ${view.capacity.ours.nodes === 1 ? "node" : "nodes"}, ${view.capacity.ours.gpus} GPUs; whole cluster ${view.capacity.pctOut.toFixed(2)} % of at most ${view.capacity.limits.totalNodes} nodes`}
    >
      <div className="panel pad">
        <p className="prog">
          {shown.map(([word, count]) => (
            <span key={word}>
              <b className="big">{count}</b> {word.toLowerCase()}
            </span>
          ))}
          <span className="muted">
            = <b className="big">{total}</b> in plan
          </span>
        </p>
        <SplitBar tally={view.tally} total={total} />
        {view.capacity.others.length > 0 && (
          <p className="note">
            Out for other reasons: {foldHostlist(view.capacity.others.map((one) => one.name))} ({view.capacity.others[0]?.because}).
          </p>
        )}
      </div>
    </Section>
  );
}

/** The same as one bar, in the fixed order. */
export function SplitBar({ tally, total }: { tally: ChangeView["tally"]; total: number }) {
  const shown = shownOf(tally);
  return (
    <svg
      className="fig split-fig"
      viewBox="0 0 1000 12"
      preserveAspectRatio="none"
      role="img"
      aria-label={shown.map(([word, count]) => `${count} ${word}`).join(", ")}
    >
      {segments(shown, total).map(({ word, x, width }) => (
        <rect key={word} className={`seg ${KIND[word] ?? "rest"}`} x={x} y={0.5} width={width} height={11} />
      ))}
    </svg>
  );
}

const shownOf = (tally: ChangeView["tally"]) =>
  Object.entries(tally)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => orderOf(a) - orderOf(b));

function segments(shown: readonly (readonly [string, number])[], total: number) {
  let x = 0;
  return shown.map(([word, count]) => {
    const width = Math.max(4, (1000 * count) / Math.max(1, total) - 2);
    const segment = { word, x, width };
    x += (1000 * count) / Math.max(1, total);
    return segment;
  });
}
