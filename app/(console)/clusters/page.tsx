import { type Metadata } from "next";

import { ClusterCard } from "@/components/inventory/cluster-card";
import { PageHead } from "@/components/ui/page-head";
import { loadClusters } from "@/lib/server/load-clusters";

import { actOnClusterForm, testConnectionForm } from "./actions";

export const metadata: Metadata = { title: "Clusters" };

export default async function ClustersPage() {
  const { person, clusters, now } = await loadClusters();
  const stopped = clusters.filter((cluster) => cluster.stop !== null);
  return (
    <>
      <PageHead
        title="Clusters"
        answer={
          stopped.length === 0
            ? `No cluster is stopped; ${clusters.length} are configured.`
            : `All work is stopped on ${stopped.map(({ id }) => id).join(", ")}.`
        }
        then={stopped.length === 0 ? "Any operator may stop all work on one, at once." : "An approver lifts it."}
      />
      {clusters.map((cluster) => (
        <ClusterCard
          key={cluster.id}
          cluster={cluster}
          act={actOnClusterForm}
          test={testConnectionForm}
          mayStop={person.roles.includes("operator")}
          mayLift={person.roles.includes("approver")}
          now={now}
        />
      ))}
    </>
  );
}
