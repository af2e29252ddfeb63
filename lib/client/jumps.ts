import { paths } from "./paths";

/** One line of the command palette: where it leads, and where that stands. */
export type Jump = {
  readonly group: "Pages" | "Changes" | "Nodes" | "Clusters";
  readonly to: string;
  readonly label: string;
  readonly stands: string;
};
export const JUMP_GROUPS = ["Pages", "Changes", "Nodes", "Clusters"] as const;

/** Pages of the rail, each with the second of its two keys: G, then this one. */
export const PAGES = [
  { label: "Now", to: paths.now(), key: "n" },
  { label: "Changes", to: paths.changes(), key: "c" },
  { label: "Inventory", to: paths.inventory(), key: "i" },
  { label: "Handoff", to: paths.handoffs(), key: "h" },
  { label: "Acceptance jobs", to: paths.acceptanceJobs(), key: "a" },
  { label: "Clusters", to: paths.clusters(), key: "l" },
  { label: "Settings", to: paths.settings(), key: "s" },
  { label: "New change", to: paths.newChange(), key: "w" },
] as const;

export const pagesNamed = (wanted: string): readonly Jump[] =>
  PAGES.filter(({ label }) => label.toLowerCase().includes(wanted.trim().toLowerCase())).map(({ label, to, key }) => ({
    group: "Pages",
    to,
    label,
    stands: `G ${key.toUpperCase()}`,
  }));
