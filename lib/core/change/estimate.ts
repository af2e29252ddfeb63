import type { Snapshot } from "./snapshot";
import { MAINTENANCE_TYPES } from "@/lib/core/plan/maintenance-types";

/** The longest a batch may take by its type, in milliseconds (R11.2): what has to fit into the rest of the window. */
export const batchEstimateMs = (s: Snapshot): number => MAINTENANCE_TYPES[s.change.type].minutes.maxMinutes * 60_000;
