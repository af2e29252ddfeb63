import { Word } from "@/components/change/word";
import { Section } from "@/components/ui/section";
import { shownWord } from "@/lib/client/shown-word";
import { type CanaryRecord } from "@/lib/core/change/view/canary-record";

/** Comparable, correct, executed, compared: apart, because none of them stands for another (R3). */
export function FourFindings({ record }: { record: CanaryRecord }) {
  return (
    <Section title="Four findings" meta="each stands for itself">
      <ul className="panel rows">
        {record.findings.map(({ name, verdict, because }) => (
          <li key={name}>
            <b className="findname">{shownWord(name)}</b>
            <Word word={shownWord(verdict)} />
            <span className="main">{because}</span>
          </li>
        ))}
        {record.undeclared.map((one) => (
          <li key={one.what}>
            <b className="findname">Undeclared</b>
            <Word word="Open" />
            <span className="main">
              {one.what} changed from <span className="mono">{one.before}</span> to <span className="mono">{one.after}</span>, and no plan
              says so
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
