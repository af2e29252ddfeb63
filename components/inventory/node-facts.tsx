import { Word } from "@/components/change/word";
import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { paths } from "@/lib/client/paths";

type Node = {
  readonly role: string;
  readonly classLabel: string;
  readonly gpus: number;
  readonly hcas: number;
  readonly leaves: readonly { readonly name: string; readonly fabric: string }[] | null;
  readonly partitions: readonly string[];
  readonly scaleSet: string | null;
  readonly serviceWords: readonly string[] | null;
  readonly serviceReason: string | null;
  readonly serviceSeenAt: Date | null;
  readonly jobs: readonly { readonly id: string; readonly user: string; readonly endsAt: Date | "no_limit" }[];
  readonly changeId: string | null;
};

/** Who the node is, and what the scheduler says of it in its own words. */
export function NodeFacts({ node, now }: { node: Node; now: Date }) {
  return (
    <Section title="Node">
      <dl className="panel pad kv">
        <dt>Class</dt>
        <dd>{node.classLabel === "" ? node.role : <span className="mono">{node.classLabel}</span>}</dd>
        <dt>Hardware</dt>
        <dd>
          {node.gpus} GPUs, {node.hcas} HCAs
        </dd>
        <dt>Leaf</dt>
        <dd>
          {node.leaves === null ? (
            <>
              <Word word="Unknown" /> no source of topology
            </>
          ) : node.leaves.length === 0 ? (
            <>
              <Word word="Unknown" /> the topology does not name it
            </>
          ) : (
            node.leaves.map((leaf) => `${leaf.name} (${leaf.fabric})`).join(", ")
          )}
        </dd>
        <dt>Partitions</dt>
        <dd>{node.partitions.length === 0 ? "none" : node.partitions.join(", ")}</dd>
        <dt>Scale set</dt>
        <dd>{node.scaleSet ?? "none"}</dd>
        <dt>Scheduler</dt>
        <dd>
          {node.serviceWords === null ? <Word word="Unknown" /> : <span className="mono">{node.serviceWords.join("+")}</span>}{" "}
          {node.serviceReason}{" "}
          <span className="src">
            {node.serviceSeenAt === null ? (
              "never read"
            ) : (
              <Instant iso={node.serviceSeenAt.toISOString()} age={ageText(node.serviceSeenAt, now)} />
            )}
          </span>
        </dd>
        <dt>Jobs</dt>
        <dd>
          {node.serviceWords === null
            ? "not known: the scheduler was never read"
            : node.jobs.length === 0
              ? "none"
              : node.jobs.map((job) => (
                  <span key={job.id} className="two">
                    <span className="mono">{job.id}</span> of {job.user},{" "}
                    {job.endsAt === "no_limit" ? "no time limit" : <>ends by its limit {ageText(job.endsAt, now)}</>}
                  </span>
                ))}
        </dd>
        <dt>Change</dt>
        <dd>{node.changeId === null ? "none" : <a href={paths.change(node.changeId)}>{node.changeId}</a>}</dd>
      </dl>
    </Section>
  );
}
