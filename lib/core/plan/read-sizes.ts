import { complain, isMissing, readFlag, readItems, readMap, readText, readWhole, shown } from "@/lib/core/kernel/document-form";
import type { Field } from "@/lib/core/kernel/document-form";
import type { Plan } from "./plan";

/** `{apply: true}`, or `{apply: false, because}`: a finding that an approver accepts; refused where the fabric itself is worked on (R5.6). */
export function readLeafRule(field: Field, needsFabric: boolean): Plan["leafRule"] {
  const f = readMap(field, ["apply", "because"]);
  if (readFlag(f.apply, true)) {
    if (f.because.node !== null) complain(f.because, "leafRule.because belongs to apply: false.");
    return { apply: true };
  }
  if (needsFabric) complain(f.apply, "Work on the fabric always keeps the leaf rule: leafRule cannot be switched off for ib_ types.");
  return { apply: false, because: readText(f.because, { max: 1000 }) };
}

/** `{perClass: 1, nodes: []}`, or a number alone for perClass. */
export function readCanaries(field: Field): Plan["canaries"] {
  if (field.node?.is === "text" && !isMissing(field)) return { perClass: readWhole(field, { min: 0, max: 16 }), nodes: [] };
  const f = readMap(field, ["perClass", "nodes"]);
  const perClass = readWhole(f.perClass, { min: 0, max: 16, fallback: 1 });
  const nodes = readItems(f.nodes, 100, true).map((item) => readText(item));
  if (perClass === 0 && nodes.length > 0) complain(f.nodes, "canaries.nodes names canaries while perClass is 0.");
  if (new Set(nodes).size < nodes.length) complain(f.nodes, "canaries.nodes names a node twice.");
  return { perClass, nodes };
}

/** `10%` of the cluster's nodes, or a number of nodes; left out: the rule's own default (R6.2). */
export function readMaxUnavailable(field: Field): Plan["maxUnavailable"] {
  if (isMissing(field)) return null;
  const text = readText(field);
  const percent = /^(\d{1,3}(?:\.\d{1,3})?)\s*%$/.exec(text);
  if (percent) {
    const value = Number(percent[1]);
    if (value > 0 && value <= 100) return { percent: value };
  } else if (/^\d{1,6}$/.test(text) && Number(text) > 0) return { nodes: Number(text) };
  complain(field, `maxUnavailable must be a percentage such as 10% or a number of nodes, not ${shown(text)}.`);
  return null;
}
