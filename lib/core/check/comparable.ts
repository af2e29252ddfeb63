type Texts = Readonly<Record<string, string>>;

/** One side must not be silent about these (and sizes without ranks say nothing); every other condition is compared where both state it. */
const REQUIRED = ["ranks", "sizes"];
const SAYS: Texts = { nccl: "NCCL", "nccl-tests": "nccl-tests", driver: "driver", kernel: "kernel", cuda: "CUDA", dcgm: "DCGM" };

export type Undeclared = { readonly what: string; readonly before: string; readonly after: string };

/** Why two runs cannot be compared: every condition that differs, or that must be stated and is not (R3.4). Empty: they can. */
export function differingConditions(ours: Texts, baseline: Texts): readonly string[] {
  const keys = [...new Set([...REQUIRED, ...Object.keys(ours), ...Object.keys(baseline)])];
  return keys.flatMap((key) => {
    const [here, there] = [stated(ours, key), stated(baseline, key)];
    if (here === there && here !== null) return [];
    if (here === null && there === null && !(key === "ranks" && stated(ours, "sizes") !== null)) return [];
    if (here === null || there === null)
      return REQUIRED.includes(key) ? [`${key} ${clip(here ?? "unknown")}, baseline ${clip(there ?? "unknown")}`] : [];
    return [`${key} ${clip(here)}, baseline ${clip(there)}`];
  });
}

/** Versions that differ from the baseline's although the plan does not say that it changes them (R3.4). */
export function undeclaredChanges(ours: Texts, baseline: Texts, declared: readonly string[]): readonly Undeclared[] {
  return changedVersions(ours, baseline)
    .filter(({ key }) => !declared.includes(key))
    .map(({ what, before, after }) => ({ what, before, after }));
}

/** "driver 535.104 to 570.133, NCCL 2.19.3 to 2.20.3"; "" when none is known to have changed. */
export const sayChanged = (ours: Texts, baseline: Texts): string =>
  changedVersions(ours, baseline)
    .map(({ what, before, after }) => `${what} ${before} to ${after}`)
    .join(", ");

function changedVersions(ours: Texts, baseline: Texts): readonly (Undeclared & { readonly key: string })[] {
  return Object.keys(ours)
    .sort()
    .flatMap((key) => {
      const [after, before] = [stated(ours, key), stated(baseline, key)];
      return after === null || before === null || after === before ? [] : [{ key, what: SAYS[key] ?? key, before, after }];
    });
}

function stated(texts: Texts, key: string): string | null {
  const text = Object.hasOwn(texts, key) ? (texts[key] ?? "") : "";
  if (text === "") return null;
  return key === "sizes" ? [...new Set(text.split(","))].sort((a, b) => Number(a) - Number(b)).join(",") : text;
}

const clip = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}...` : text);
