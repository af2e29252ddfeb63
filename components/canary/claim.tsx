import { Instant } from "@/components/ui/instant";
import { Section } from "@/components/ui/section";
import { durationText } from "@/lib/core/kernel/duration-text";
import { type CanaryRecord } from "@/lib/core/change/view/canary-record";

/** What the record is asked to prove, by what, and against what. */
export function Claim({ record }: { record: CanaryRecord }) {
  const { job } = record;
  return (
    <Section title="What is claimed">
      <div className="panel pad">
        <p>{record.claim}</p>
        <dl className="kv">
          <dt>Node class</dt>
          <dd>
            <span className="mono">{record.class}</span>, {record.nodes} {record.nodes === 1 ? "node" : "nodes"} of this change
          </dd>
          <dt>Says nothing for</dt>
          <dd>
            {record.uncovered.length === 0
              ? "no other class is in this change"
              : record.uncovered.map((one) => `${one.class} (${one.nodes} nodes)`).join(", ")}
          </dd>
          <dt>Acceptance job</dt>
          <dd>
            <span className="mono">{job.name}</span>
            {job.repeats !== null && `, ${job.repeats} repeats`}
            {job.timeLimitMs !== null && `, limit ${durationText(job.timeLimitMs)}`}{" "}
            <span className="src">
              {job.lockedBy === null || job.lockedAt === null ? (
                "not locked any more"
              ) : (
                <>
                  locked by {job.lockedBy} <Instant iso={job.lockedAt.toISOString()} />
                </>
              )}
            </span>
          </dd>
          <dt>Job text</dt>
          <dd className="mono shafull">sha256 {job.fingerprint}</dd>
          <dt>Input</dt>
          <dd className="mono shafull">sha256 {job.inputSha}</dd>
          <dt>Application</dt>
          <dd>{job.application}</dd>
          <dt>Baseline</dt>
          <dd>{job.baseline}</dd>
          <dt>Judges differences</dt>
          <dd>{job.judges.length === 0 ? "nobody named" : job.judges.join(", ")}</dd>
        </dl>
      </div>
    </Section>
  );
}
