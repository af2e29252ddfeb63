import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { type FormAction } from "@/lib/client/form-state";
import { paths } from "@/lib/client/paths";

import { ConnectionTest } from "./connection-test";
import { StopForm } from "./stop-form";

type Cluster = {
  readonly id: string;
  readonly title: string;
  readonly production: boolean;
  readonly disposable: boolean;
  readonly execution: string;
  readonly timezone: string;
  readonly hasTopology: boolean;
  readonly noTopologyBecause: string | null;
  readonly openChanges: readonly string[];
  readonly stop: { readonly because: string; readonly since: Date; readonly by: string } | null;
  readonly reads: readonly {
    readonly source: string;
    readonly confirmsAt: Date | null;
    readonly failedAt: Date | null;
    readonly reason: string | null;
  }[];
};
type Props = { cluster: Cluster; act: FormAction; test: FormAction; mayStop: boolean; mayLift: boolean; now: Date };

/** One cluster: whether it is stopped, what its sources last said, and the one form that stops or lifts. */
export function ClusterCard({ cluster, act, test, mayStop, mayLift, now }: Props) {
  const kind = [
    cluster.production ? "production" : "not production",
    cluster.disposable ? "disposable" : "",
    cluster.execution,
    cluster.timezone,
  ];
  const stopping = cluster.stop === null;
  const needs = stopping ? "Stopping needs an operator." : "Lifting needs an approver.";
  return (
    <Section title={cluster.id} meta={`${cluster.title}; ${kind.filter((one) => one !== "").join(", ")}`}>
      <div className="panel pad">
        <dl className="kv">
          <dt>Work</dt>
          <dd>
            {cluster.stop === null ? (
              "not stopped"
            ) : (
              <>
                <Word word="Stopped" /> by {cluster.stop.by}{" "}
                <Instant iso={cluster.stop.since.toISOString()} age={ageText(cluster.stop.since, now)} />: {cluster.stop.because}
              </>
            )}
          </dd>
          <dt>Open changes</dt>
          <dd>
            {cluster.openChanges.length === 0
              ? "none"
              : cluster.openChanges.map((id) => (
                  <a key={id} className="mono gap" href={paths.change(id)}>
                    {id}
                  </a>
                ))}
          </dd>
          <dt>Topology</dt>
          <dd>{cluster.hasTopology ? "known" : (cluster.noTopologyBecause ?? "not known yet")}</dd>
          {cluster.reads.map((read) => (
            <Read key={read.source} read={read} now={now} />
          ))}
        </dl>
        <ConnectionTest act={test} clusterId={cluster.id} />
        <StopForm
          act={act}
          clusterId={cluster.id}
          action={stopping ? "stop-all" : "lift-stop"}
          changes={cluster.openChanges.length}
          closed={(stopping ? mayStop : mayLift) ? null : needs}
        />
      </div>
    </Section>
  );
}

function Read({ read, now }: { read: Cluster["reads"][number]; now: Date }) {
  const silent = read.failedAt !== null && (read.confirmsAt === null || read.failedAt > read.confirmsAt);
  return (
    <>
      <dt>{read.source}</dt>
      <dd>
        {read.confirmsAt === null ? (
          "never read completely"
        ) : (
          <Instant iso={read.confirmsAt.toISOString()} age={`read ${ageText(read.confirmsAt, now)}`} />
        )}
        {silent && (
          <>
            {" "}
            <Word word="Unresolved" /> {read.reason}
          </>
        )}
      </dd>
    </>
  );
}
