import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";

type Layer = {
  readonly field: string;
  readonly component: string;
  readonly source: string;
  readonly text: string | null;
  readonly observedAt: Date;
};
type Props = {
  layers: readonly Layer[];
  differs: readonly { readonly component: string; readonly has: string; readonly most: string }[];
  now: Date;
};

const LAYERS = [
  ["cluster_definition", "Definition"],
  ["vmss_model", "Scale-set model"],
  ["instance_model", "Instance"],
  ["host_report", "Host report"],
] as const;

/** What each layer says by itself; none stands for another (R1.1). */
export function NodeLayers({ layers, differs, now }: Props) {
  return (
    <Section title="What each layer says" meta="none stands for another">
      <dl className="panel pad kv">
        {LAYERS.map(([field, called]) => {
          const own = layers.filter((one) => one.field === field);
          return (
            <div key={field} className="layer">
              <dt>{called}</dt>
              <dd>
                {own.length === 0 && <span className="muted">nothing was read here</span>}
                {own.map((one) => (
                  <span key={`${one.component} ${one.source}`} className="two">
                    <span className="muted">{one.component.replaceAll("_", " ")}</span>{" "}
                    {one.text === null ? <Word word="Unknown" /> : <span className="mono">{one.text}</span>}{" "}
                    <span className="src">
                      {one.source} · <Instant iso={one.observedAt.toISOString()} age={ageText(one.observedAt, now)} />
                    </span>
                  </span>
                ))}
              </dd>
            </div>
          );
        })}
      </dl>
      {differs.map((one) => (
        <p key={one.component} className="note">
          <Word word="Differs" /> {one.component.replaceAll("_", " ")} is {one.has}; most of its class report {one.most}.
        </p>
      ))}
    </Section>
  );
}
