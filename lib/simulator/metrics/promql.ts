/**
 * The part of PromQL that the simulated Prometheus answers: `name{label="x",other=~"a|b"}`, `{__name__="…"}` and `timestamp(selector)`.
 * Everything else is refused in Prometheus' own form of an error.
 */

type Matcher = { readonly label: string; readonly matches: (value: string) => boolean; readonly matchesEmpty: boolean };
export type Query = { readonly matchers: readonly Matcher[]; readonly timestamps: boolean };

/** A text is what is wrong, with line and column. */
export function parseQuery(text: string): Query | string {
  const source = text.trim();
  if (source === "") return "unknown position: parse error: no expression found in input";
  const wrapped = /^timestamp\s*\(([\s\S]*)\)$/.exec(source);
  const selector = parseSelector(wrapped?.[1]?.trim() ?? source, wrapped === null ? 1 : source.indexOf("(") + 2);
  return typeof selector === "string" ? selector : { matchers: selector, timestamps: wrapped !== null };
}

/** False where no series of this name can be meant. */
export const mayName = (query: Query, metric: string): boolean => query.matchers.every((m) => m.label !== "__name__" || m.matches(metric));

export const selects = (query: Query, labels: Readonly<Record<string, string>>): boolean =>
  query.matchers.every((m) => m.matches(labels[m.label] ?? ""));

function parseSelector(text: string, column: number): Matcher[] | string {
  const name = /^[A-Za-z_:][A-Za-z0-9_:]*/.exec(text)?.[0] ?? "";
  const rest = text.slice(name.length).trim();
  const matchers: Matcher[] = name === "" ? [] : [equals("__name__", name)];
  if (rest !== "") {
    if (!rest.startsWith("{")) return `1:${column + name.length}: parse error: unexpected ${JSON.stringify(rest.slice(0, 20))}`;
    const inner = parseMatchers(rest.slice(1), column + text.length - rest.length + 1);
    if (typeof inner === "string") return inner;
    matchers.push(...inner);
  }
  if (matchers.every((m) => m.matchesEmpty)) return `1:${column}: parse error: vector selector must contain at least one non-empty matcher`;
  return matchers;
}

function parseMatchers(text: string, column: number): Matcher[] | string {
  const matchers: Matcher[] = [];
  let left = text;
  const here = (): number => column + text.length - left.length;
  for (;;) {
    left = left.trimStart();
    if (left.startsWith("}"))
      return left.slice(1).trim() === "" ? matchers : `1:${here() + 1}: parse error: unexpected ${JSON.stringify(left.slice(1, 20))}`;
    const match = /^([A-Za-z_][A-Za-z0-9_]*)\s*(=~|!~|!=|=)\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)\s*/.exec(left);
    if (match === null)
      return left === ""
        ? `1:${here()}: parse error: unexpected end of input inside braces`
        : `1:${here()}: parse error: unexpected ${JSON.stringify(left.slice(0, 20))} in label matching`;
    const [whole, label = "", operator = "", quoted = ""] = match;
    const made = makeMatcher(label, operator, unquote(quoted));
    if (typeof made === "string") return `1:${here()}: parse error: ${made}`;
    matchers.push(made);
    left = left.slice(whole.length);
    if (left.startsWith(",")) left = left.slice(1);
    else if (!left.startsWith("}")) return `1:${here()}: parse error: unexpected end of input inside braces`;
  }
}

function makeMatcher(label: string, operator: string, value: string): Matcher | string {
  if (operator === "=") return equals(label, value);
  if (operator === "!=") return { label, matches: (text) => text !== value, matchesEmpty: value !== "" };
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^(?:${value})$`, "s"); // anchored, as Prometheus does
  } catch {
    return `error parsing regexp: ${value}`;
  }
  const wanted = operator === "=~";
  return { label, matches: (text) => pattern.test(text) === wanted, matchesEmpty: pattern.test("") === wanted };
}

function equals(label: string, value: string): Matcher {
  return { label, matches: (text) => text === value, matchesEmpty: value === "" };
}

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (quoted.startsWith("`")) return inner;
  return inner.replace(/\\(.)/g, (_, char: string) => (char === "n" ? "\n" : char === "t" ? "\t" : char));
}
