import { paths } from "@/lib/client/paths";

import { requirePerson } from "./session";
import { wired } from "./wired";

/** Published acceptance jobs, and the node classes a job can be for. */
export async function loadAcceptanceJobs() {
  const person = await requirePerson(paths.acceptanceJobs());
  const { deps } = await wired();
  const [jobs, people, clusters, now] = await Promise.all([
    deps.store.acceptanceJobs(),
    deps.store.people(),
    deps.store.clusters(),
    deps.clock.now(),
  ]);
  const nodes = (await Promise.all(clusters.map((cluster) => deps.store.inventory(cluster.id)))).flat();
  const classes = [...new Set(nodes.filter((node) => node.role === "compute").map((node) => node.classLabel))].sort();
  const nameOf = (id: string): string => people.find((one) => one.id === id)?.name ?? id;
  return { person, jobs: jobs.map((job) => ({ ...job, author: nameOf(job.authorId) })), classes, now };
}
