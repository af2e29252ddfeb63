import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { ageText } from "@/lib/client/age-text";
import { addressOf, type InventoryQuery, type InventoryRow } from "@/lib/client/inventory-query";
import { paths } from "@/lib/client/paths";
import { shownWord } from "@/lib/client/shown-word";

import { ReportedLines } from "./reported-lines";

type Props = { query: InventoryQuery; cluster: string; rows: readonly InventoryRow[]; now: Date };

const HEADS = [
  ["name", "Node"],
  ["class", "Class"],
  ["leaf", "Leaf"],
  ["service", "Service"],
  ["need", "Reason"],
  ["read", "Host reports"],
  ["change", "Change"],
] as const;

/** Nodes in the order that the address asks for; without one what needs reading is first. */
export function InventoryTable({ query, cluster, rows, now }: Props) {
  if (rows.length === 0)
    return (
      <div className="panel pad empty">
        <p>
          <b>No node fits.</b>
        </p>
        <p>
          <a href={addressOf(query, { show: "all", find: "" })}>Show all nodes</a>
        </p>
      </div>
    );
  return (
    <div className="tw inventory" tabIndex={0} role="region" aria-label="Nodes">
      <table>
        <thead>
          <tr>
            {HEADS.map(([sort, name]) => (
              <th key={sort} aria-sort={query.sort === sort ? "ascending" : undefined}>
                {sort === "need" ? (
                  name
                ) : (
                  <a className="sort" href={addressOf(query, { sort: query.sort === sort ? "need" : sort })}>
                    {name}
                  </a>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.name} row={row} cluster={cluster} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, cluster, now }: { row: InventoryRow; cluster: string; now: Date }) {
  return (
    <tr>
      <th scope="row">
        <a className="mono" href={paths.node(cluster, row.name)}>
          {row.name}
        </a>
      </th>
      <td className="nw">
        {row.class}
        {row.scaleSet !== null && <span className="src"> {row.scaleSet}</span>}
      </td>
      <td className="nw">{row.leaves === null ? <Word word="Unknown" /> : row.leaves.join(", ")}</td>
      <td className="nw">
        <Word word={shownWord(row.service)} />{" "}
        <span className="src">
          {row.seenAt === null ? "never read" : <Instant iso={row.seenAt.toISOString()} age={ageText(row.seenAt, now)} />}
        </span>
      </td>
      <td className="wrap">{row.reason}</td>
      <td className="wrap">
        {row.differs.map((one) => (
          <span key={one.component} className="two">
            <Word word="Differs" /> {one.component.replaceAll("_", " ")} {one.has}, most of its class {one.most}
          </span>
        ))}
        <ReportedLines reported={row.reported} now={now} />
      </td>
      <td>
        {row.change !== null && (
          <>
            <a className="mono" href={paths.change(row.change, row.name)}>
              {row.change}
            </a>{" "}
            <span className="muted">{row.step?.replaceAll("_", " ")}</span>
            {row.wanted !== null && <span className="src"> to {row.wanted}</span>}
          </>
        )}
      </td>
    </tr>
  );
}
