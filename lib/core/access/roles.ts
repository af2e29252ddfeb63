export const ROLES = ["viewer", "operator", "workload_owner", "approver", "admin"] as const;
export type Role = (typeof ROLES)[number];
/** Named for one change (plan `people`) or by its course. */
export const POSTS = [
  "author",
  "owner",
  "decision_owner",
  "judge",
  "second_engineer",
  "offered_to",
  "finding_acceptor",
  "hold_owner",
  "post_mortem_owner",
] as const;
export type Post = (typeof POSTS)[number];
