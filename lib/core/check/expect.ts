import { err, ok } from "@/lib/core/kernel/result";
import type { Result } from "@/lib/core/kernel/result";
import type { Expectation } from "./expectation";
import { isBeyond, limitOf, parseLimit, sayLimit } from "./limit";
import { numberFrom } from "./number-text";
import type { VerdictReason } from "./verdict";

/** `number` null: the value is a text, or there is none (`reason` then says why). */
export type Seen = { readonly entity: string; readonly text: string; readonly number: number | null; readonly missing: boolean };
export type ValueVerdict = {
  readonly entity: string;
  readonly verdict: "pass" | "fail" | "unresolved";
  readonly reason: VerdictReason;
  readonly because: string;
};

/** One text of the plan's grammar as written on a command line: "idle", "> 90%", "absent", "not above before", "a|b". */
export function parseExpectation(text: string): Result<Expectation, string> {
  const bare = text.trim();
  if (bare === "") return err("an expectation is empty");
  if (/^(?:>=|<=|>|<|(?:above|below|atLeast|atMost)\b)/.test(bare)) {
    const limit = parseLimit(bare);
    return limit.ok ? ok(limit.value.expectation) : limit;
  }
  if (bare === "absent") return ok({ absent: true });
  if (/^not ?above:? ?before$/i.test(bare)) return ok({ notAbove: "before" });
  const every = /^every:? (.+)$/.exec(bare);
  if (every?.[1]) return ok({ every: every[1].trim() });
  const options = bare.split("|").map((option) => option.trim());
  if (options.length > 1) return options.includes("") ? err(`"${bare.slice(0, 80)}" names an empty choice`) : ok({ oneOf: options });
  return ok({ equals: bare.replace(/^equals:? /, "") });
}

/**
 * Judges values of one name. Count first: where the inventory says how many there must be, fewer is unresolved whatever the others say, and no value at all
 * is never a pass. `before`: the same values from before the step, by entity.
 */
export function judgeValues(
  name: string,
  seen: readonly Seen[],
  expectation: Expectation,
  context: { readonly expected: number | null; readonly before: ReadonlyMap<string, number> | null },
): readonly ValueVerdict[] {
  if ("absent" in expectation) {
    const found = seen[0];
    if (found)
      return [{ entity: found.entity, verdict: "fail", reason: "not_as_expected", because: `${name} is there: "${clip(found.text)}"` }];
    return [{ entity: "run", verdict: "pass", reason: "as_expected", because: `${name} is absent` }];
  }
  if (seen.length === 0) return [{ entity: "run", verdict: "unresolved", reason: "no_data", because: `no value of ${name}` }];
  const verdicts = seen.map((value) => judgeOne(name, value, expectation, context.before));
  if (context.expected !== null && seen.length !== context.expected)
    return [
      {
        entity: "run",
        verdict: "unresolved",
        reason: "too_few",
        because: `${seen.length} of ${context.expected} values of ${name} reported`,
      },
      ...verdicts,
    ];
  return verdicts;
}

function judgeOne(name: string, value: Seen, expectation: Expectation, before: ReadonlyMap<string, number> | null): ValueVerdict {
  const { entity } = value;
  const unresolved = (reason: VerdictReason, because: string): ValueVerdict => ({ entity, verdict: "unresolved", reason, because });
  const fail = (reason: VerdictReason, because: string): ValueVerdict => ({ entity, verdict: "fail", reason, because });
  const pass = (because: string): ValueVerdict => ({ entity, verdict: "pass", reason: "as_expected", because });
  if (value.missing) return unresolved("no_data", `${name} of ${entity} has no value (${clip(value.text)})`);
  const wanted =
    "equals" in expectation
      ? [expectation.equals]
      : "every" in expectation
        ? [expectation.every]
        : "oneOf" in expectation
          ? expectation.oneOf
          : null;
  if (wanted !== null) {
    if (wanted.some((text) => isSame(value, text))) return pass(`${name} of ${entity} is ${clip(value.text)}`);
    return fail(
      "not_as_expected",
      `${name} of ${entity} is "${clip(value.text)}" instead of ${wanted.map((text) => `"${clip(text)}"`).join(" or ")}`,
    );
  }
  const parsed = value.number === null ? numberFrom(value.text, name) : ({ is: "number", value: value.number } as const);
  if (parsed.is !== "number") return unresolved(parsed.reason, `${name} of ${entity}: ${parsed.because}`);
  if ("notAbove" in expectation) {
    const earlier = before?.get(entity);
    if (earlier === undefined) return unresolved("no_baseline", `${name} of ${entity} has no value from before the step`);
    if (parsed.value > earlier) return fail("beyond_limit", `${name} of ${entity} is ${parsed.value}, above ${earlier} from before`);
    return pass(`${name} of ${entity} is ${parsed.value}, not above ${earlier} from before`);
  }
  const limit = limitOf(expectation);
  const measured = limit === null ? null : isBeyond(parsed.value, limit, null);
  if (limit === null || measured === null)
    return unresolved("no_baseline", `${name} of ${entity} cannot be compared: there is no baseline`);
  if (measured.holds) return pass(`${name} of ${entity} is ${parsed.value}, ${sayLimit(limit)}`);
  return fail(measured.onLimit ? "on_the_limit" : "beyond_limit", `${name} of ${entity} is ${parsed.value}, not ${sayLimit(limit)}`);
}

/** Texts are equal letter by letter (570.1 is not 570.10); a value the tool printed as a number may be written in another way (0 and 0.0). */
function isSame(value: Seen, wanted: string): boolean {
  if (value.text.trim() === wanted.trim()) return true;
  return value.number !== null && /^[+-]?\d+(\.\d+)?$/.test(wanted.trim()) && Number(wanted) === value.number;
}

const clip = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text);
