import type { AcceptanceJobSpec } from "@/lib/core/acceptance/job";
import { canonicalJson } from "@/lib/core/kernel/canonical-json";
import { byName } from "@/lib/core/kernel/natural-order";
import type { Plan } from "./plan";

/** What approvals bind to (R4.1): what is done to which nodes and how it is judged. Not title, ticket, people, windows, nor how long mixed versions are agreed. */
type CoveredPlan = Omit<Plan, "title" | "ticket" | "people" | "windows" | "mixedUntil" | "target"> & {
  readonly target: Omit<Plan["target"], "nodes" | "selector">;
  /** Resolved names in natural order: how they were written does not matter. */
  readonly nodes: readonly string[];
  readonly jobs: readonly AcceptanceJobSpec[];
};

export function coveredPlan(plan: Plan, nodes: readonly string[], jobs: readonly AcceptanceJobSpec[]): CoveredPlan {
  const { title: _t, ticket: _n, people: _p, windows: _w, mixedUntil: _m, target, ...covered } = plan;
  const { nodes: _written, selector: _selector, ...wanted } = target;
  return { ...covered, target: wanted, nodes: [...new Set(nodes)].sort(byName), jobs: [...jobs].sort((a, b) => byName(a.name, b.name)) };
}

/** The text whose SHA-256 is the plan's fingerprint. `nodes`: every planned node; `jobs`: the versions that `acceptance` names. */
export const planFingerprintText = (plan: Plan, nodes: readonly string[], jobs: readonly AcceptanceJobSpec[]): string =>
  canonicalJson(coveredPlan(plan, nodes, jobs));

/** The same with every mention of the target version blanked: what a standing approval covers (R7.5). */
export function standingFingerprintText(plan: Plan, nodes: readonly string[], jobs: readonly AcceptanceJobSpec[]): string {
  const { target, ...rest } = coveredPlan(plan, nodes, jobs);
  return canonicalJson({ standing: true, ...withoutVersion(rest, versionsOf(target)) });
}

function versionsOf(target: CoveredPlan["target"]): readonly string[] {
  const { version, image, hostProof } = target;
  const ofImage = image === null ? [] : ["galleryVersionId" in image ? image.galleryVersionId : image.version];
  return [...(version === null ? [] : [version]), ...ofImage, ...Object.values(hostProof)].filter((text) => text !== "");
}

function withoutVersion<T>(value: T, versions: readonly string[]): T {
  if (typeof value === "string") return versions.reduce(blank, value as string) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => withoutVersion(item, versions)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutVersion(member as unknown, versions)])) as T;
}

/** Whole mentions only: 1.2 inside 11.2.3 is another version. */
function blank(text: string, version: string): string {
  const escaped = version.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return text.replace(new RegExp(`(?<![A-Za-z0-9.])${escaped}(?![A-Za-z0-9]|\\.[A-Za-z0-9])`, "g"), "{version}");
}
