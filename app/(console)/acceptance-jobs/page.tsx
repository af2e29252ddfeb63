import { type Metadata } from "next";

import { PublishJob } from "@/components/plan/publish-job";
import { Instant } from "@/components/ui/instant";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { ageText } from "@/lib/client/age-text";
import { durationText } from "@/lib/core/kernel/duration-text";
import { loadAcceptanceJobs } from "@/lib/server/load-acceptance-jobs";

import { publishJob } from "./actions";

export const metadata: Metadata = { title: "Acceptance jobs" };

export default async function AcceptanceJobsPage() {
  const { person, jobs, classes, now } = await loadAcceptanceJobs();
  const lacking = classes.filter((label) => !jobs.some(({ spec }) => spec.class === label));
  const closed = person.roles.includes("workload_owner")
    ? null
    : `Publishing an acceptance job needs a workload owner; ${person.name} is none.`;
  return (
    <>
      <PageHead
        title="Acceptance jobs"
        answer={`${jobs.length === 0 ? "No acceptance job is" : `${jobs.length} versions are`} published, for ${classes.length - lacking.length} of ${classes.length} node classes.`}
        then={lacking.length === 0 ? "Every class has one." : `Without one: ${lacking.join(", ")}.`}
      />
      {jobs.length > 0 && (
        <div className="tw" tabIndex={0} role="region" aria-label="Acceptance jobs">
          <table>
            <thead>
              <tr>
                <th>Job</th>
                <th>Node class</th>
                <th>Application</th>
                <th>What must hold</th>
                <th className="num">Runs</th>
                <th>Limit</th>
                <th>Published</th>
                <th>Fingerprint</th>
              </tr>
            </thead>
            <tbody>
              {jobs.map(({ id, spec, author, createdAt, fingerprint }) => (
                <tr key={id}>
                  <th scope="row" className="mono">
                    {spec.name}@{spec.version}
                  </th>
                  <td className="mono nw">{spec.class}</td>
                  <td>{spec.applicationVersion}</td>
                  <td className="wrap">{spec.metrics.map((m) => `${m.name} (${m.unit}, ${m.direction} is better)`).join(", ")}</td>
                  <td className="num">{spec.repeats}</td>
                  <td className="nw">{durationText(spec.timeLimitMs)}</td>
                  <td className="nw src">
                    {author}, <Instant iso={createdAt.toISOString()} age={ageText(createdAt, now)} />
                  </td>
                  <td className="mono src" title={fingerprint}>
                    {fingerprint.slice(0, 12)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Section title="Publish a version" meta="a version never changes; another text needs a new number">
        <PublishJob publish={publishJob} nodeClass={lacking[0] ?? classes[0] ?? "h100-8/cx7-8/ubuntu22"} closed={closed} />
      </Section>
    </>
  );
}
