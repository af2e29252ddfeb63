import { type Icon } from "@tabler/icons-react";
import { type ReactNode } from "react";

export type Tone = "pass" | "run" | "fail" | "open" | "waived" | "quiet" | "none";

type Props = { tone: Tone; Glyph: Icon; /** The verdict stands and waits for nobody: no block. */ settled?: boolean; children: ReactNode };

/** A word, an icon and a colour, in that order of importance: what needs somebody is a block, what is good is quiet, grey is "not yet". */
export function Status({ tone, Glyph, settled = false, children }: Props) {
  const name = ["st", tone === "quiet" ? "" : tone, settled ? "settled" : ""].filter((one) => one !== "").join(" ");
  return (
    <span className={name}>
      <Glyph className="i" size={16} stroke={1.5} aria-hidden="true" />
      {children}
    </span>
  );
}
