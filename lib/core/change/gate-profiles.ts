// change/gate-profiles.ts: the table of R7.5 as data. A site may make it stricter only.
export const PROFILES = ["low", "medium", "high", "emergency", "rehearsal"] as const;
export type ProfileId = (typeof PROFILES)[number];
type RehearsalNeed =
  | {
      readonly same: readonly ("type" | "class" | "validate" | "commands" | "target_version")[];
      readonly maxAgeDays: number | null;
      readonly otherwise: "closed" | "approver_accepts_untested";
    }
  | "newest_shown"
  | "approver_accepts"
  | "never";
type GateProfile = {
  readonly jobAndBaseline: "may_reuse" | "required" | "reuse_or_waiver" | "optional";
  readonly failingTest: RehearsalNeed;
  readonly recovery: RehearsalNeed;
  readonly approval: "approver_or_standing" | "approver" | "operator";
  /** one_any_approver: one node per class, and whichever approver is there may sign. */
  readonly canary: "per_class" | "one_any_approver" | "may_be_none";
  readonly secondReading: "first_of_type_or_after_ambiguity" | "required" | "owed_in_post_mortem" | "never";
  readonly start: "window_spacing_freeze" | "notice_rest_shown_as_overridden" | "nothing";
  readonly fabricValidation: "yes" | "not_for_cuda" | "no";
  readonly spotValidation: "yes" | "no";
};
export const GATE_PROFILES = {
  low: {
    jobAndBaseline: "may_reuse",
    failingTest: { same: ["type"], maxAgeDays: 365, otherwise: "closed" },
    recovery: { same: ["type", "class"], maxAgeDays: 365, otherwise: "approver_accepts_untested" },
    approval: "approver_or_standing",
    canary: "per_class",
    secondReading: "first_of_type_or_after_ambiguity",
    start: "window_spacing_freeze",
    fabricValidation: "not_for_cuda",
    spotValidation: "yes",
  },
  medium: {
    jobAndBaseline: "required",
    failingTest: { same: ["type", "validate"], maxAgeDays: 180, otherwise: "closed" },
    recovery: { same: ["type", "class", "commands"], maxAgeDays: 180, otherwise: "approver_accepts_untested" },
    approval: "approver",
    canary: "per_class",
    secondReading: "required",
    start: "window_spacing_freeze",
    fabricValidation: "yes",
    spotValidation: "yes",
  },
  high: {
    jobAndBaseline: "required",
    failingTest: { same: ["target_version"], maxAgeDays: null, otherwise: "closed" },
    recovery: { same: ["target_version", "class"], maxAgeDays: null, otherwise: "approver_accepts_untested" },
    approval: "approver",
    canary: "per_class",
    secondReading: "required",
    start: "window_spacing_freeze",
    fabricValidation: "yes",
    spotValidation: "yes",
  },
  emergency: {
    jobAndBaseline: "reuse_or_waiver",
    failingTest: "newest_shown",
    recovery: "approver_accepts",
    approval: "approver",
    canary: "one_any_approver",
    secondReading: "owed_in_post_mortem",
    start: "notice_rest_shown_as_overridden",
    fabricValidation: "yes",
    spotValidation: "yes",
  },
  rehearsal: {
    jobAndBaseline: "optional",
    failingTest: "never",
    recovery: "never",
    approval: "operator",
    canary: "may_be_none",
    secondReading: "never",
    start: "nothing",
    fabricValidation: "no",
    spotValidation: "no",
  },
} as const satisfies Record<ProfileId, GateProfile>;
export const PREFLIGHT_VALID_MS = 12 * 3600_000,
  STANDING_APPROVAL_MONTHS = 6;
