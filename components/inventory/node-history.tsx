import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";

type Entry = {
  readonly id: string;
  readonly title: string;
  readonly goalText: string;
  readonly endedAt: Date | null;
  readonly batch: number;
  readonly outcome: string;
  readonly since: Date;
  readonly because: string | null;
  readonly investigator: string | null;
  readonly ticket: string | null;
};

/** Every change that had the node, newest first, and what became of it there. */
export function NodeHistory({ history, node, now }: { history: readonly Entry[]; node: string; now: Date }) {
  return (
    <Section title="Changes" meta={history.length === 0 ? "no change has named it" : "newest first"}>
      {history.length > 0 && (
        <div className="tw" tabIndex={0} role="region" aria-label="Changes of this node">
          <table>
            <thead>
              <tr>
                <th>Change</th>
                <th>Title</th>
                <th>Goal</th>
                <th className="num">Batch</th>
                <th>Outcome</th>
                <th>Since</th>
                <th>Why</th>
                <th>Owner</th>
              </tr>
            </thead>
            <tbody>
              {history.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    <a className="mono" href={paths.change(one.id, node)}>
                      {one.id}
                    </a>
                  </th>
                  <td className="wrap">
                    {one.title} {one.endedAt === null && <span className="muted">open</span>}
                  </td>
                  <td className="mono">{one.goalText}</td>
                  <td className="num">{one.batch}</td>
                  <td>
                    <Word word={one.outcome} settled={one.investigator !== null || one.endedAt !== null} />
                  </td>
                  <td className="nw">
                    <Instant iso={one.since.toISOString()} age={ageText(one.since, now)} />
                  </td>
                  <td className="wrap">{one.because}</td>
                  <td>
                    {one.investigator ?? <span className="muted">none</span>}{" "}
                    {one.ticket !== null && <span className="src">{one.ticket}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
}
