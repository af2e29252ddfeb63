import type { UnknownBecause } from "@/lib/core/config-state/observation";

export const UNKNOWN_WORDS = {
  never_observed: "it was never read",
  before_reboot: "it was read before the last reboot",
  before_model_change: "it was read before the last model change",
  too_old: "the last reading is too old",
  unreadable: "the answer could not be read",
  absent: "the source does not list it",
  source_unreachable: "the source cannot be reached",
  sources_disagree: "two sources disagree",
} as const satisfies Record<UnknownBecause, string>;
