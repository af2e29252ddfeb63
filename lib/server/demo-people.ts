import { type Role } from "@/lib/core/access/roles";

/**
 * The people of the demo, by initials. JS and DV hold the role operator because they take over a shift; what sets them apart (second engineer,
 * decision owner) are posts that a plan gives, not roles.
 */
export type DemoPerson = { readonly id: string; readonly title: string; readonly does: string; readonly roles: readonly Role[] };

export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { id: "AK", title: "Operator", does: "Writes plans and runs them.", roles: ["viewer", "operator"] },
  { id: "LT", title: "Workload owner", does: "Fixes the acceptance job and judges differences.", roles: ["viewer", "workload_owner"] },
  { id: "MR", title: "Approver", does: "Signs canaries and waivers; never their own change.", roles: ["viewer", "approver"] },
  { id: "JS", title: "Second engineer", does: "Reads a canary record cold and takes over a shift.", roles: ["viewer", "operator"] },
  { id: "DV", title: "On call", does: "Decides whether a paused rollout continues.", roles: ["viewer", "operator"] },
  { id: "RB", title: "Manager", does: "Plans the quarter in the calendar.", roles: ["viewer"] },
  { id: "AD", title: "Admin", does: "Clusters, people, tokens.", roles: ["viewer", "admin"] },
  { id: "VW", title: "Viewer", does: "Reads everything, changes nothing.", roles: ["viewer"] },
];
