import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";
import { type ChangeView, type TargetView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type BoardNode = {
  readonly name: string;
  /** field -> value before this change touched the node; null: not known. */
  readonly before: Readonly<Record<string, string | null>>;
  readonly sentences: readonly string[];
};
type Props = { view: Pick<ChangeView, "id" | "targets" | "goal">; node: BoardNode | null; now: Date };
type Cell = NonNullable<TargetView["configuration"]>[string];

const FIELDS = [
  ["cluster_definition", "Definition"],
  ["vmss_model", "Scale-set model"],
  ["instance_model", "Instances"],
  ["host_report", "Host report"],
] as const;
/** Layers are compared while the change works on a node; before and after, the inventory has them. */
const NOT_IN_HAND = "not in hand now";
const WORD = { matches: "Matches", differs: "Differs", unknown: "Unknown", not_applicable: "Not applicable" } as const;

/** Four sources compared with the target, for all nodes and for the one chosen; none stands for another (R1.1). */
export function ConfigBoard({ view, node, now }: Props) {
  const target = view.targets.find((one) => one.name === node?.name);
  return (
    <Section
      title="Configuration"
      id="board"
      meta="four sources, compared with the target; none stands for another"
      end={
        <form method="get" action={`${paths.change(view.id)}#board`} className="inline">
          <label>
            <span className="sr">Node shown in the board</span>
            <input className="in small mono" name="node" list="plan-nodes" defaultValue={node?.name} placeholder="node" />
          </label>
          <datalist id="plan-nodes">
            {view.targets.slice(0, 2_000).map(({ id, name }) => (
              <option key={id} value={name} />
            ))}
          </datalist>
          <button className="btn small">Show node</button>
        </form>
      }
    >
      <div className="tw" tabIndex={0} role="region" aria-label="Configuration">
        <table className="board">
          <thead>
            <tr>
              <th className="rowname">
                <span className="sr">Row</span>
              </th>
              {FIELDS.map(([field, name]) => (
                <th key={field}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">All {view.targets.length} nodes</th>
              {FIELDS.map(([field]) => (
                <td key={field}>
                  <Counts targets={view.targets} field={field} />
                </td>
              ))}
            </tr>
            {node !== null && (
              <>
                <tr className="grp">
                  <th scope="row" className="mono">
                    {node.name}
                  </th>
                  <td colSpan={4} />
                </tr>
                <tr>
                  <th scope="row">Before</th>
                  {FIELDS.map(([field]) => (
                    <td key={field}>
                      {(node.before[field] ?? null) === null ? (
                        <span className="muted">not recorded</span>
                      ) : (
                        <span className="val">{node.before[field]}</span>
                      )}
                    </td>
                  ))}
                </tr>
                <tr>
                  <th scope="row">Target</th>
                  {FIELDS.map(([field]) => (
                    <td key={field}>
                      <Wanted text={target?.configuration?.[field]?.wanted ?? null} />
                    </td>
                  ))}
                </tr>
                <tr className="now">
                  <th scope="row">Now</th>
                  {FIELDS.map(([field]) => (
                    <td key={field}>
                      <Now cell={target?.configuration?.[field]} attempted={target?.outcome !== "Not attempted"} now={now} />
                    </td>
                  ))}
                </tr>
              </>
            )}
          </tbody>
        </table>
      </div>
      {node !== null &&
        node.sentences.map((text) => (
          <p className="note" key={text}>
            {text}
          </p>
        ))}
    </Section>
  );
}

function Now({ cell, attempted, now }: { cell: Cell | undefined; attempted: boolean; now: Date }) {
  if (cell === undefined) return <span className="muted">{NOT_IN_HAND}</span>;
  const word = cell.verdict === "differs" && !attempted ? "Not yet" : WORD[cell.verdict];
  return (
    <>
      {cell.value !== null && <span className="val">{cell.value}</span>}
      <span className="cmp">
        <Word word={word} />
      </span>
      {cell.because !== "" && <span className="src">{cell.because}</span>}
      {cell.sources.length > 0 && (
        <span className="src">
          {cell.sources.join(", ")} {cell.at !== null && <Instant iso={cell.at} age={ageText(new Date(cell.at), now)} />}
        </span>
      )}
    </>
  );
}

function Counts({ targets, field }: { targets: readonly TargetView[]; field: string }) {
  const counts = new Map<string, number>();
  for (const { configuration, outcome } of targets) {
    const cell = configuration?.[field];
    const word =
      cell === undefined ? "Unknown" : cell.verdict === "differs" && outcome === "Not attempted" ? "Not yet" : WORD[cell.verdict];
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts].map(([word, count]) => (
    <span className="cmp" key={word}>
      {word === NOT_IN_HAND ? (
        <span className="muted">
          {count} {NOT_IN_HAND}
        </span>
      ) : (
        <Word word={word} count={count} />
      )}
    </span>
  ));
}

const Wanted = ({ text }: { readonly text: string | null }) =>
  text === null ? <span className="muted">none</span> : <span className="val">{text}</span>;
