import { Instant } from "@/components/ui/instant";
import { ageText } from "@/lib/client/age-text";
import { type InventoryRow } from "@/lib/client/inventory-query";

/** What the host said it runs, with source and age; what was never read is said. */
export function ReportedLines({ reported, now }: { reported: InventoryRow["reported"]; now: Date }) {
  const groups = bySource(reported, now);
  if (groups.length === 0) return <span className="muted">never read</span>;
  return groups.map(({ source, age, at, values }) => (
    <span key={`${source} ${age}`} className="two">
      {values.map(([component, text]) => (
        <span key={component} className="gap">
          <span className="muted">{component}</span> <span className="mono">{text}</span>
        </span>
      ))}{" "}
      <span className="src">
        {source} · <Instant iso={at} age={age} />
      </span>
    </span>
  ));
}

/** What one source said at one time stands together, with its source and age once. */
function bySource(reported: InventoryRow["reported"], now: Date) {
  const groups = new Map<string, { source: string; age: string; at: string; values: [string, string][] }>();
  for (const [component, { text, source, observedAt }] of Object.entries(reported)) {
    const age = ageText(observedAt, now);
    const group = groups.get(`${source} ${age}`) ?? { source, age, at: observedAt.toISOString(), values: [] };
    group.values.push([component.replaceAll("_", " "), text]);
    groups.set(`${source} ${age}`, group);
  }
  return [...groups.values()];
}
