import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/client/paths";
import { type ChangeView } from "@/lib/core/change/view/change-view";

const KIND: Readonly<Record<string, string>> = { failure: "A test that failed", recovery: "The way back" };

/** Where the failing test and the way back were tried before. */
export function RehearsalList({ rehearsals }: { rehearsals: ChangeView["rehearsals"] }) {
  return (
    <Section title="Rehearsals">
      <ul className="panel rows">
        {rehearsals.length === 0 && (
          <li>
            <span className="main">No rehearsal is linked.</span>
          </li>
        )}
        {rehearsals.map((one) => (
          <li key={`${one.id} ${one.kind}`}>
            <b className="findname">{KIND[one.kind] ?? one.kind}</b>
            <span className="main">{one.text}</span>
            <span className="end src">
              <a className="mono" href={paths.change(one.id)}>
                {one.id}
              </a>{" "}
              <Instant iso={one.at} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
