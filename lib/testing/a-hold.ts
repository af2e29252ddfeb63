import type { HoldView } from "@/lib/core/change/snapshot";
import { at } from "./a-moment";
import { AK } from "./a-person";

export const aHold = (overrides: Partial<HoldView> = {}): HoldView => ({
  id: "hold-1",
  kind: "person",
  batch: null,
  targetId: null,
  ownerId: AK,
  because: "fabric team is looking at leaf02",
  since: at(-20),
  byPerson: true,
  ...overrides,
});
