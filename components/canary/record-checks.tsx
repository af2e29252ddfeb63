import { Word } from "@/components/change/word";
import { EvidenceLink } from "@/components/evidence/evidence-link";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { type CanaryRecord } from "@/lib/core/change/view/canary-record";

type Props = { checks: CanaryRecord["checks"]; evidence: Readonly<Record<string, readonly string[]>>; now: Date };

/** The frozen checks; what has no value stands first and blocks like a failure. */
export function RecordChecks({ checks, evidence, now }: Props) {
  const counts = [...new Set(checks.map(({ word }) => word))].map(
    (word) => `${checks.filter((one) => one.word === word).length} ${word.toLowerCase()}`,
  );
  return (
    <Section title="Checks" meta={`${checks.length}: ${counts.join(", ")}`} end="missing ones first; unresolved blocks like a failure">
      <div className="tw" tabIndex={0} role="region" aria-label="Checks of the record">
        <table>
          <thead>
            <tr>
              <th>Verdict</th>
              <th>Check</th>
              <th>What was read</th>
              <th>Evidence</th>
            </tr>
          </thead>
          <tbody>
            {checks.map((check) => (
              <tr key={check.name} className={check.word === "Fail" ? "loud-fail" : check.word === "Unresolved" ? "loud-open" : undefined}>
                <td className="nw">
                  <Word word={check.word} />
                </td>
                <th scope="row">{check.name.replaceAll("_", " ")}</th>
                <td className="wrap">
                  {check.because}{" "}
                  {check.judgedAt !== null && (
                    <span className="src">
                      <Instant iso={check.judgedAt.toISOString()} age={ageText(check.judgedAt, now)} />
                    </span>
                  )}
                </td>
                <td className="nw">
                  {(check.id === null ? [] : (evidence[check.id] ?? [])).slice(0, 4).map((sha) => (
                    <EvidenceLink key={sha} sha={sha} />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
