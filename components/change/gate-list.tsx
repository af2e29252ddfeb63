import { IconAlertHexagon, IconCheck, IconCircleDashed, IconCircleMinus } from "@tabler/icons-react";

import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { type ChangeView } from "@/lib/core/change/view/change-view";
import { GATE_WORDS } from "@/lib/core/change/words";

const LOOK = {
  done: ["done", IconCheck, "done"],
  open: ["cur", IconAlertHexagon, "open"],
  later: ["later", IconCircleDashed, "not yet"],
  not_applicable: ["later", IconCircleMinus, "not asked for"],
} as const;

/** The gates in order; the first that is not done says all it lacks, the others what they will need (R7.5). */
export function GateList({ gates }: { gates: ChangeView["gates"] }) {
  const asked = gates.filter((gate) => gate.is !== "not_applicable");
  const done = asked.filter((gate) => gate.is === "done").length;
  return (
    <Section title="Gates" id="gates" meta={`${done} of ${asked.length} done`}>
      <ol className="panel gates">
        {gates.map((gate, i) => {
          const [name, Glyph, word] = LOOK[gate.is as keyof typeof LOOK] ?? LOOK.open;
          return (
            <li key={gate.gate} className={name}>
              <span className="k">{i + 1}</span>
              <Glyph className="i" size={16} stroke={1.5} aria-hidden="true" />
              <span className="g">
                {nameOf(gate.gate)}
                <span className="sr">: {word}</span>
                {gate.is === "later" ? <Needs because={gate.because} /> : gate.because.map((text) => <small key={text}>{text}</small>)}
              </span>
              <span className="t">{gate.at !== null && <Instant iso={gate.at} />}</span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}

/** What a gate that is not in turn will need, folded when it is more than one thing. */
function Needs({ because }: { because: readonly string[] }) {
  const [first, ...more] = because;
  if (more.length === 0) return <small>{first}</small>;
  return (
    <details className="foldlist needs">
      <summary>needs {because.length} things</summary>
      {because.map((text) => (
        <small key={text}>{text}</small>
      ))}
    </details>
  );
}

function nameOf(gate: string): string {
  const words = (GATE_WORDS as Readonly<Record<string, string>>)[gate] ?? gate;
  const bare = words.replace(/^the /, "");
  return bare.slice(0, 1).toUpperCase() + bare.slice(1);
}
