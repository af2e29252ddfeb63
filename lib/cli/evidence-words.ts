import type { Expectation } from "@/lib/core/check/expectation";
import { seenNamed } from "@/lib/core/check/reading-values";
import type { Reading } from "@/lib/core/check/reading";

/** States may be written in any letter case and with "-" or "_": "powered_down" is the scheduler's "powered-down". Everything else stays letter by letter. */
export function inToolWords(reading: Reading, named: Readonly<Record<string, Expectation>>): Readonly<Record<string, Expectation>> {
  if (reading.parser !== "slurm") return named;
  return Object.fromEntries(
    Object.entries(named).map(([name, expectation]) => {
      if (!/(^|\.)(state|service|phase)$/.test(name)) return [name, expectation];
      const texts = seenNamed(reading, name).map((value) => value.text);
      const inWords = (text: string) => texts.find((seen) => plain(seen) === plain(text)) ?? text;
      if ("equals" in expectation) return [name, { equals: inWords(expectation.equals) }];
      if ("every" in expectation) return [name, { every: inWords(expectation.every) }];
      return [name, "oneOf" in expectation ? { oneOf: expectation.oneOf.map(inWords) } : expectation];
    }),
  );
}

const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, "");
