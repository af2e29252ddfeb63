import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { byName } from "@/lib/core/kernel/natural-order";
import type { NodeClassFacts } from "./node-class-facts";

/** The text that two nodes share when the evidence of one is valid for the other (R3.1); its SHA-256 is the class's fingerprint. */
export const classOf = (facts: NodeClassFacts): string => canonicalJson(facts);

/** A class as people name it: `h100-8/cx7-8/ubuntu22`. */
const labelOf = (facts: NodeClassFacts): string =>
  [
    `${slug(facts.accelerator.model)}-${facts.accelerator.count}`,
    `${slug(facts.hca.model)}-${facts.hca.count}`,
    slug(facts.environment),
  ].join("/");

/** Labels for all classes of a cluster, by `classOf`. Classes that would read alike carry their server model too, and if need be a number. */
export function labelClasses(all: readonly NodeClassFacts[]): ReadonlyMap<string, string> {
  const facts = new Map(all.map((one) => [classOf(one), one]));
  const keys = [...facts.keys()].sort(byName);
  const labels = new Map<string, string>();
  for (const [key, one] of keys.map((k) => [k, facts.get(k)] as const)) if (one) labels.set(key, labelOf(one));
  const alike = (label: string): number => [...labels.values()].filter((other) => other === label).length;
  const shared = [...labels].filter(([, label]) => alike(label) > 1);
  for (const [key, label] of shared) labels.set(key, `${label}@${slug(facts.get(key)?.serverModel ?? "")}`);
  const taken = new Map<string, number>();
  for (const [key, label] of labels) {
    const nth = (taken.get(label) ?? 0) + 1;
    taken.set(label, nth);
    if (nth > 1) labels.set(key, `${label}~${nth}`);
  }
  return labels;
}

/** Lower case, vendor words dropped, ConnectX shortened, everything else joined by dashes. */
function slug(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/connectx[- ]?(\d+)/g, "cx$1")
    .split(/[^a-z0-9.]+/)
    .filter((word) => word !== "" && !["nvidia", "mellanox", "amd", "tesla"].includes(word));
  return words.join("-") || "none";
}
