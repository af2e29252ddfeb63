import type { FindingView } from "@/lib/core/change/snapshot";
import { at } from "./a-moment";

/** An open finding of the preview that an approver must accept. */
export const aFinding = (overrides: Partial<FindingView> = {}): FindingView => ({
  id: "finding-1",
  key: "plan/1/size_reduced",
  kind: "plan",
  on: "change",
  because: "batch size 9 is reduced to 8: 8 leaves",
  blocks: true,
  acceptedBy: "approver",
  openedAt: at(-600),
  closedAt: null,
  ...overrides,
});
