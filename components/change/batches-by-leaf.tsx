import { Section } from "@/components/ui/section";
import { byName } from "@/lib/core/kernel/natural-order";
import { type ChangeView, type TargetView } from "@/lib/core/change/view/change-view";

import { LeafGrid, type GridCell } from "./leaf-grid";

type Props = { view: Pick<ChangeView, "batches" | "targets">; leaves: Readonly<Record<string, readonly string[]>> };

const LOOK: Readonly<Record<string, readonly [GridCell["look"], string?]>> = {
  Accepted: ["ok"],
  Unresolved: ["open", "?"],
  Failed: ["fail", "×"],
  "Rollback failed": ["fail", "×"],
  "Rolled back": ["old", "R"],
  Draining: ["next", "·"],
  Updating: ["next", "·"],
  Rebooting: ["next", "·"],
  Validating: ["next", "·"],
};

/** Which leaf gives which node to which batch, and how each stands. */
export function BatchesByLeaf({ view, leaves }: Props) {
  const names = [...new Set(Object.values(leaves).flat())].sort(byName);
  if (names.length === 0) return null;
  const cells = view.targets.flatMap((target) => (leaves[target.name] ?? []).slice(0, 1).map((leaf) => cellOf(target, leaf)));
  const running = view.batches.find((batch) => batch.state === "running") ?? view.batches.find((batch) => batch.state === "waiting");
  return (
    <Section title="Batches by leaf" meta={`${names.length} leaves, ${view.batches.length} batches`}>
      <div className="panel pad">
        <LeafGrid
          leaves={names}
          columns={view.batches.map((batch) => batch.number)}
          cells={cells}
          current={running?.number ?? null}
          label={`${names.length} leaves by ${view.batches.length} batches; the table of nodes says the same in words`}
        />
        <p className="legend">
          <span>filled: accepted</span>
          <span>C: canary</span>
          <span>?: unresolved</span>
          <span>×: failed</span>
          <span>R: rolled back</span>
          <span>blue outline: at work</span>
          <span>outline: not attempted</span>
        </p>
      </div>
    </Section>
  );
}

function cellOf(target: TargetView, leaf: string): GridCell {
  const [look, glyph = target.role === "canary" ? "C" : undefined] = LOOK[target.outcome] ?? (["plan"] as const);
  const title = `${target.name}, ${leaf}, batch ${target.batch}: ${target.outcome}${target.role === "canary" ? ", canary" : ""}`;
  return { leaf, column: target.batch, look, title, ...(glyph === undefined ? {} : { glyph }) };
}
