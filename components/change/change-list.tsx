import { Instant } from "@/components/ui/instant";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";

import { Word } from "./word";

type Listed = {
  readonly id: string;
  readonly title: string;
  readonly ticket: string | null;
  readonly cluster: string;
  readonly type: string;
  readonly purpose: string;
  readonly state: string;
  readonly held: boolean;
  readonly outcome: string | null;
  readonly next: string;
  readonly who: string;
  readonly owner: string;
  readonly tally: Readonly<Record<string, number>>;
  readonly createdAt: Date;
};

/** One row per change: where it stands, what is next and who, how its nodes are. */
export function ChangeList({ changes, now, show }: { changes: readonly Listed[]; now: Date; show: string }) {
  if (changes.length === 0) {
    return (
      <div className="panel pad empty">
        <p>
          <b>No change is here.</b>
        </p>
        <p className="soft">
          {show === "open" ? "Nothing is planned or under way." : "Nothing fits the filter."} A change begins with a plan.
        </p>
        <p>
          <a className="btn" href={paths.newChange()}>
            New change
          </a>
        </p>
      </div>
    );
  }
  return (
    <div className="tw" tabIndex={0} role="region" aria-label="Changes">
      <table>
        <thead>
          <tr>
            <th>Change</th>
            <th>Title</th>
            <th>State</th>
            <th>Next</th>
            <th>Who</th>
            <th>Nodes</th>
            <th>Cluster, type</th>
            <th>Owner</th>
            <th>Made</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.id}>
              <th scope="row">
                <a className="mono" href={paths.change(change.id)}>
                  {change.id}
                </a>
              </th>
              <td className="wrap title">
                {change.title}
                {change.ticket !== null && <span className="src"> {change.ticket}</span>}
                {change.purpose === "rehearsal" && <span className="src"> rehearsal</span>}
              </td>
              <td className="nw">
                <Word word={change.state} /> {change.held && <Word word="On hold" />}
                {change.outcome !== null && <span className="src"> {change.outcome.replaceAll("_", " ")}</span>}
              </td>
              <td className="wrap next">{change.next}</td>
              <td className="nw">{change.who}</td>
              <td className="nw">
                {change.tally["Accepted"] ?? 0}
                <span className="u"> of {Object.values(change.tally).reduce((sum, count) => sum + count, 0)} accepted</span>
                {trouble(change.tally)}
              </td>
              <td className="nw">
                {change.cluster} <span className="src two">{change.type.replaceAll("_", " ")}</span>
              </td>
              <td className="nw">{change.owner}</td>
              <td className="nw src">
                <Instant iso={change.createdAt.toISOString()} age={ageText(change.createdAt, now)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const trouble = (tally: Listed["tally"]) =>
  (["Unresolved", "Failed", "Rollback failed"] as const).flatMap((word) =>
    (tally[word] ?? 0) > 0
      ? [
          <span key={word}>
            {" "}
            <Word word={word} count={tally[word] ?? 0} />
          </span>,
        ]
      : [],
  );
