import type { Seen } from "./expect";
import type { Reading } from "./reading";

type Value = Reading["values"][number];

/** Columns that say which entity a row is about, or when: nobody expects something of them by leaving the name out. */
const IDENTITY = new Set([
  "index",
  "uuid",
  "gpu_uuid",
  "name",
  "serial",
  "pci.bus_id",
  "timestamp",
  "gpus",
  "gpu",
  "started_at",
  "iterations",
  "validation",
]);

/**
 * Values of one name: "driver_version" for every entity, "gpu001.state" or "gpu 0.temperature.gpu" for one, "wrongValues", a condition ("ranks"), a version
 * ("nccl") or a test of a diagnostic ("memory", which is "pass", "fail", "unresolved" or "skipped").
 */
export function seenNamed(reading: Reading, name: string): readonly Seen[] {
  if (/^(wrongValues|wrong_values)$/.test(name)) {
    const { wrongValues } = reading;
    return [
      {
        entity: "run",
        text: wrongValues === null ? "not validated" : String(wrongValues),
        number: wrongValues,
        missing: wrongValues === null,
      },
    ];
  }
  const values = reading.values.filter((value) => value.name === name || isNamed(value, name));
  if (values.length > 0) return values.map(toSeen);
  const statements = reading.statements.filter((one) => one.test === name || isNamed({ name: one.test, entity: one.entity }, name));
  if (statements.length > 0) return statements.map((one) => ({ entity: one.entity, text: one.says, number: null, missing: false }));
  const text = [reading.versions, reading.conditions]
    .map((texts) => (Object.hasOwn(texts, name) ? texts[name] : undefined))
    .find((found) => found !== undefined);
  if (text !== undefined) return [{ entity: "run", text, number: null, missing: false }];
  if (reading.parser === "text") return seenInLines(reading, name);
  return reading.measurements
    .filter((one) => one.metric === name)
    .map((one) => ({ entity: `${one.bucket}-byte ${one.placement} row`, text: String(one.value), number: one.value, missing: false }));
}

/** "name: value" and "name = value" lines of a plain text. */
function seenInLines(reading: Reading, name: string): readonly Seen[] {
  return reading.values.flatMap((value) => {
    const at = /[:=]/.exec(value.text)?.index ?? -1;
    if (at < 0 || value.text.slice(0, at).trim() !== name) return [];
    return [{ entity: value.entity, text: value.text.slice(at + 1).trim(), number: null, missing: false }];
  });
}

/** What an expectation without a name is about: the lines of a plain text, else the only column that is not an identity. null: it must be named. */
export function seenUnnamed(reading: Reading): { readonly name: string; readonly seen: readonly Seen[] } | null {
  const values = reading.values.filter((value) => !IDENTITY.has(value.name));
  const names = [...new Set(values.map((value) => value.name))];
  if (reading.parser === "text") return { name: "line", seen: values.map(toSeen) };
  const [only] = names;
  return only === undefined || names.length > 1 ? null : { name: only, seen: values.map(toSeen) };
}

function isNamed(value: { readonly name: string; readonly entity: string }, name: string): boolean {
  if (!name.endsWith(`.${value.name}`)) return false;
  const entity = name.slice(0, -value.name.length - 1);
  return [value.entity, value.entity.replace(" ", ""), value.entity.replace(/^(gpu|job|line) /, "")].includes(entity);
}

const toSeen = (value: Value): Seen => ({
  entity: value.entity,
  text: value.text,
  number: value.unit === "text" || value.unit === "local time" ? null : value.value,
  missing: value.unit === "no value",
});
