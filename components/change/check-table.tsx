import { EvidenceLink } from "@/components/evidence/evidence-link";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { type ChangeView, type CheckRow } from "@/lib/core/change/view/change-view";

import { Word } from "./word";

type Props = {
  checks: ChangeView["checks"];
  notChecked: readonly string[];
  evidence: Readonly<Record<string, readonly string[]>>;
  now: Date;
};

const ORDER = ["Unresolved", "Fail", "Waived", "Waiting", "Pass", "Not applicable"];
const QUIET = new Set(["Pass", "Not applicable"]);

/** All checks: what has no value first, then failures; passes may fold, the others never. */
export function CheckTable({ checks, notChecked, evidence, now }: Props) {
  const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.word) - ORDER.indexOf(b.word) || a.gate.localeCompare(b.gate));
  const loud = sorted.filter((check) => !QUIET.has(check.word));
  const quiet = sorted.filter((check) => QUIET.has(check.word));
  const counts = ORDER.map((word) => [word, checks.filter((check) => check.word === word).length] as const).filter(
    ([, count]) => count > 0,
  );
  return (
    <Section
      title="Checks"
      id="checks"
      meta={counts.map(([word, count]) => `${count} ${word.toLowerCase()}`).join(", ") || "none written yet"}
    >
      {loud.length > 0 && <Rows checks={loud} evidence={evidence} now={now} label="Checks that do not pass" />}
      {quiet.length > 0 && (
        <details className="foldlist" open={loud.length === 0 && quiet.length <= 20}>
          <summary>{quiet.length} passed or not applicable</summary>
          <Rows checks={quiet} evidence={evidence} now={now} label="Checks that pass" />
        </details>
      )}
      {notChecked.length > 0 && (
        <details className="foldlist">
          <summary>Not checked by this version: {notChecked.length}</summary>
          <ul className="panel pad plain">
            {notChecked.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

type RowsProps = { checks: readonly CheckRow[]; evidence: Props["evidence"]; now: Date; label: string };

function Rows({ checks, evidence, now, label }: RowsProps) {
  return (
    <div className="tw tall" tabIndex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            <th>Check</th>
            <th>On</th>
            <th>Gate</th>
            <th>Verdict</th>
            <th>What was read</th>
            <th>Evidence</th>
          </tr>
        </thead>
        <tbody>
          {checks.map((check) => (
            <tr key={check.id} className={check.word === "Fail" ? "loud-fail" : check.word === "Unresolved" ? "loud-open" : undefined}>
              <th scope="row">{check.name.replaceAll("_", " ")}</th>
              <td className="mono nw">{check.on}</td>
              <td className="nw">{check.gate.replaceAll("_", " ")}</td>
              <td>
                <Word word={check.word} />
              </td>
              <td className="wrap">
                {check.because}
                {check.judgedAt !== null && (
                  <span className="src">
                    {" "}
                    <Instant iso={check.judgedAt} age={ageText(new Date(check.judgedAt), now)} />
                  </span>
                )}
                {check.waivedUntil !== null && (
                  <span className="src">
                    {" "}
                    waived until <Instant iso={check.waivedUntil} />
                  </span>
                )}
              </td>
              <td className="nw">
                {(evidence[check.id] ?? []).slice(0, 3).map((sha) => (
                  <EvidenceLink key={sha} sha={sha} />
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
