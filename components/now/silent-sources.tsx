import { Instant } from "@/components/ui/instant";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/lib/client/paths";

type Silent = {
  readonly cluster: string;
  readonly source: string;
  readonly confirmsAt: Date | null;
  readonly failedAt: Date | null;
  readonly reason: string | null;
};

/** A source that does not answer: since when, what it leaves unknown, what is not touched by it. */
export function SilentSources({ sources }: { sources: readonly Silent[]; now: Date }) {
  return sources.map(({ cluster, source, confirmsAt, failedAt, reason }) => (
    <Notice key={`${cluster} ${source}`} tone="open" end={<a href={paths.clusters()}>Clusters</a>}>
      <b>
        {source} of {cluster} does not answer
      </b>{" "}
      {confirmsAt === null ? (
        "and never has"
      ) : (
        <>
          since <Instant iso={confirmsAt.toISOString()} />
        </>
      )}
      . What only it can tell is unknown there, and no check passes without it. The record and all other clusters are as they were.{" "}
      <span className="muted">
        {reason ?? "no reason given"}
        {failedAt !== null && (
          <>
            , last tried <Instant iso={failedAt.toISOString()} />
          </>
        )}
      </span>
    </Notice>
  ));
}
