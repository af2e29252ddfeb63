import type { ChangeAction } from "@/lib/core/change/permitted-actions";

export type FieldKind =
  | "line"
  | "area"
  | "yaml"
  | "number"
  | "numbers"
  | "duration"
  | "instant"
  | "choice"
  | "person"
  | "flag"
  | "nodes"
  | "words"
  | "limits"
  | "jobs"
  | "leaving"
  | "open-findings"
  | "warnings"
  | "rehearsal"
  | "parser"
  | "file";
export type Field = {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly required?: boolean;
  readonly choices?: readonly (readonly [value: string, label: string])[];
  readonly hint?: string;
};
/** What a person fills in for one action, beside `on`. `touches`: nodes change; `typed`: the change's id has to be typed first. */
export type ActionFormSpec = {
  readonly label: string;
  readonly button: string;
  readonly fields: readonly Field[];
  readonly touches?: boolean;
  readonly typed?: boolean;
};

const WHY: Field = { name: "reason", label: "Reason", kind: "area", required: true };
const NOTE: Field = { name: "reason", label: "Note, if there is something to say", kind: "line" };
const UNTIL: Field = { name: "until", label: "Until (UTC)", kind: "instant", required: true };
const form = (label: string, button: string, fields: readonly Field[], more: Partial<ActionFormSpec> = {}): ActionFormSpec => ({
  label,
  button,
  fields,
  ...more,
});

/** One form for each action of a change (the fields of its request). */
export const ACTION_FORMS = {
  "edit-plan": form("Change the plan", "Save as new revision", [
    { name: "yaml", label: "Plan", kind: "yaml", required: true, hint: "A new revision voids what was approved and signed for this one." },
    NOTE,
  ]),
  narrow: form("Narrow the plan", "Narrow", [
    { name: "batchSize", label: "Nodes in a batch", kind: "number" },
    { name: "interBatchDelay", label: "Delay between batches", kind: "duration", hint: "Such as 5m or 1h30m." },
    { name: "order", label: "Waiting batches in the order they start", kind: "numbers", hint: "Such as 4, 3, 5." },
    { name: "limits", label: "Stricter limits", kind: "limits", hint: "One a line: check = limit." },
    WHY,
  ]),
  "split-class": form("Split a node class", "Split", [
    { name: "part", label: "Name of the new part", kind: "line", required: true },
    { name: "nodes", label: "Its nodes", kind: "nodes", required: true, hint: "Such as gpu[001-004]." },
    WHY,
  ]),
  "merge-classes": form("Merge node classes", "Merge", [
    { name: "classes", label: "Classes to take in", kind: "words", required: true },
    WHY,
  ]),
  "lock-job": form("Lock the acceptance job", "Lock", [
    { name: "jobs", label: "Job and baseline per class", kind: "jobs", required: true },
    NOTE,
  ]),
  "capture-baseline": form("Capture the baseline again", "Capture", [NOTE], { touches: true }),
  "link-rehearsal": form("Link a rehearsal", "Link", [
    { name: "rehearsal", label: "Rehearsal", kind: "rehearsal", required: true },
    {
      name: "kind",
      label: "What it shows",
      kind: "choice",
      required: true,
      choices: [
        ["failure", "a failure is caught"],
        ["recovery", "going back works"],
      ],
    },
    NOTE,
  ]),
  "accept-finding": form("Accept a finding", "Accept", [WHY]),
  "approve-plan": form("Approve the plan", "Approve", [
    { name: "accepts", label: "Findings accepted with it", kind: "open-findings" },
    { name: "standing", label: "Standing approval (profile low only)", kind: "flag" },
    { name: "until", label: "Until (UTC), if it shall expire", kind: "instant" },
    WHY,
  ]),
  "reject-plan": form("Reject the plan", "Reject", [WHY]),
  "book-window": form("Book a window", "Book", [
    { name: "start", label: "Start (UTC)", kind: "instant", required: true },
    { name: "end", label: "End (UTC)", kind: "instant", required: true },
    { name: "timezone", label: "Zone it is shown in", kind: "line", required: true, hint: "Such as Europe/Berlin." },
    NOTE,
  ]),
  "cancel-window": form("Cancel a window", "Cancel window", [NOTE]),
  "run-preflight": form("Run preflight", "Run preflight", [NOTE]),
  "run-check": form("Read a check again", "Read again", [NOTE]),
  waive: form("Waive a check", "Waive", [UNTIL, WHY]),
  "upload-evidence": form("Upload evidence", "Upload", [
    { name: "file", label: "Output as the tool printed it", kind: "file", required: true },
    { name: "parser", label: "Read it as", kind: "parser" },
    { name: "at", label: "Taken at (UTC)", kind: "instant" },
    NOTE,
  ]),
  "start-canary": form("Start the canaries", "Start canaries", [NOTE], { touches: true }),
  judge: form("Judge a difference", "Record judgement", [
    {
      name: "choice",
      label: "Judgement",
      kind: "choice",
      required: true,
      choices: [
        ["accept", "accept: it is as good as before"],
        ["reject", "reject: it is worse"],
      ],
    },
    WHY,
  ]),
  "sign-off": form("Sign off the canary", "Sign off", [{ name: "acknowledges", label: "Warnings acknowledged", kind: "warnings" }, WHY]),
  "reject-canary": form("Reject the canary", "Reject and roll back", [WHY], { touches: true, typed: true }),
  "void-canary": form("Void a canary", "Void", [WHY]),
  "record-reading": form("Record the second reading", "Read", []),
  "start-batch": form("Start a batch", "Start batch", [NOTE], { touches: true }),
  pause: form("Pause", "Pause", [WHY]),
  resume: form("Resume", "Resume", [WHY]),
  decide: form(
    "Decide on a batch",
    "Decide",
    [
      {
        name: "choice",
        label: "Decision",
        kind: "choice",
        required: true,
        choices: [
          ["retry", "try its nodes again"],
          ["go_on", "go on without them"],
          ["roll_back_all", "roll everything back"],
          ["stop", "stop here"],
        ],
      },
      {
        name: "earlier",
        label: "Earlier batches",
        kind: "choice",
        choices: [
          ["keep", "stay as they are"],
          ["roll_back", "go back too"],
        ],
      },
      WHY,
    ],
    { touches: true, typed: true },
  ),
  "decide-drain": form(
    "Decide on a drain",
    "Decide",
    [
      {
        name: "choice",
        label: "Decision",
        kind: "choice",
        required: true,
        choices: [
          ["wait", "wait longer"],
          ["defer", "defer the node"],
          ["withdraw", "withdraw the node"],
          ["take_over", "take the drain over, with the other's consent"],
        ],
      },
      WHY,
    ],
    { touches: true },
  ),
  "ask-checkpoint": form("Ask users to checkpoint", "Ask", [NOTE]),
  "retry-node": form("Retry a node", "Retry", [NOTE], { touches: true }),
  "withdraw-node": form("Withdraw a node", "Withdraw node", [WHY], { touches: true }),
  "defer-node": form("Defer a node", "Defer", [WHY], { touches: true }),
  "roll-back-node": form("Roll back a node", "Roll back", [WHY], { touches: true, typed: true }),
  "release-node": form(
    "Release a node",
    "Release",
    [
      { name: "owner", label: "Who takes it over", kind: "person", required: true },
      { name: "ticket", label: "Ticket", kind: "line", required: true },
      WHY,
    ],
    { touches: true, typed: true },
  ),
  "assign-investigator": form("Assign an investigator", "Assign", [
    { name: "to", label: "Investigator", kind: "person", required: true },
    NOTE,
  ]),
  "grant-relaxation": form("Grant a relaxation", "Grant", [
    {
      name: "what",
      label: "What",
      kind: "choice",
      required: true,
      choices: [
        ["maxNodesPerLeaf", "nodes of one leaf in a batch"],
        ["maxUnavailable", "GPUs that may be out"],
        ["warning_limit", "a warning limit"],
      ],
    },
    {
      name: "value",
      label: "Value",
      kind: "line",
      required: true,
      hint: "A number; for a warning limit the check's name, a colon and the limit.",
    },
    UNTIL,
    WHY,
  ]),
  "confirm-definition": form("Confirm the definition", "Confirm", [NOTE]),
  "run-fabric-validation": form("Run the fabric validation", "Run", [NOTE], { touches: true }),
  "run-spot-validation": form("Run the spot validation", "Run", [NOTE], { touches: true }),
  "offer-ownership": form("Offer ownership", "Offer", [{ name: "to", label: "To", kind: "person", required: true }, NOTE]),
  "accept-ownership": form("Accept ownership", "Accept ownership", [NOTE]),
  "decline-ownership": form("Decline ownership", "Decline", [NOTE]),
  "settle-obligation": form("Settle an obligation", "Settle", [WHY]),
  revoke: form("Revoke a decision", "Revoke", [WHY]),
  withdraw: form("Withdraw the change", "Withdraw", [WHY], { typed: true }),
  close: form(
    "Close the change",
    "Close",
    [
      {
        name: "out",
        label: "Nodes that stay out",
        kind: "leaving",
        hint: "One a line: node, owner, ticket, reason. Leave empty when every node is back.",
      },
      NOTE,
    ],
    { typed: true },
  ),
} as const satisfies Record<ChangeAction, ActionFormSpec>;

export const formOf = (action: string): ActionFormSpec | null =>
  Object.hasOwn(ACTION_FORMS, action) ? ACTION_FORMS[action as ChangeAction] : null;
