import { paths } from "@/lib/client/paths";
import { type ChangeView } from "@/lib/core/change/view/change-view";

/** The records of a change: evidence for one class says nothing about another (R3.1). */
export function RecordTabs({ view, current }: { view: Pick<ChangeView, "id" | "reports">; current: string }) {
  if (view.reports.length < 2) return null;
  return (
    <nav className="tabs" aria-label="Canary records">
      {view.reports.map((one) => (
        <a key={one.id} href={paths.canary(view.id, one.id)} aria-current={one.id === current ? "page" : undefined}>
          <span className="mono">{one.canary}</span> record {one.number} <span className="muted">{one.class}</span>
        </a>
      ))}
    </nav>
  );
}
