import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { shownWord } from "@/lib/client/shown-word";
import { type ChangeView } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = { commands: ChangeView["commands"]; now: Date };

const STATE: Readonly<Record<string, string>> = { succeeded: "Succeeded", failed: "Failed", unknown: "Unresolved", started: "Running" };

/** What was sent to the outside world, and how it ended. */
export function CommandTable({ commands, now }: Props) {
  const newest = [...commands].sort((a, b) => (b.startedAt ?? "9").localeCompare(a.startedAt ?? "9"));
  return (
    <Section title="Commands" id="commands" meta={`${commands.length} of the present tries and all open ones`}>
      {commands.length === 0 ? (
        <p className="muted">Nothing was sent to a node yet.</p>
      ) : (
        <div className="tw tall" tabIndex={0} role="region" aria-label="Commands">
          <table>
            <thead>
              <tr>
                <th>What</th>
                <th>State</th>
                <th>Started</th>
                <th>Outcome</th>
              </tr>
            </thead>
            <tbody>
              {newest.map((one) => (
                <tr key={one.key}>
                  <th scope="row">{shownWord(one.kind)}</th>
                  <td>{STATE[one.state] === undefined ? shownWord(one.state) : <Word word={STATE[one.state] ?? ""} />}</td>
                  <td className="nw src">
                    {one.startedAt === null ? "not yet" : <Instant iso={one.startedAt} age={ageText(new Date(one.startedAt), now)} />}
                  </td>
                  <td className="wrap">
                    {one.because}
                    {one.run !== null && <code className="cmdline">{one.run}</code>}
                    <code className="cmdline">{one.key}</code>
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
