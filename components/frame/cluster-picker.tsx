"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";

import { paths } from "@/lib/client/paths";

type Props = { clusters: readonly { readonly id: string; readonly nodes: number }[] };

/** Which cluster the lists are of. On a page that is about no list it leads to the cluster's inventory. */
export function ClusterPicker({ clusters }: Props) {
  const router = useRouter();
  const at = usePathname();
  const asked = useSearchParams().get("cluster") ?? "";
  const choose = (cluster: string): void => router.push(at === paths.changes() ? paths.changes({ cluster }) : paths.inventory({ cluster }));
  return (
    <select
      className="picker"
      aria-label="Cluster"
      value={clusters.some(({ id }) => id === asked) ? asked : ""}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <option value="">every cluster</option>
      {clusters.map(({ id, nodes }) => (
        <option key={id} value={id}>
          {id}, {nodes} nodes
        </option>
      ))}
    </select>
  );
}
