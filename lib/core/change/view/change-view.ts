import { z } from "zod";

const Who = z.strictObject({ id: z.string(), name: z.string() });
const Fact = z.strictObject({
  verdict: z.enum(["matches", "differs", "unknown", "not_applicable"]),
  value: z.string().nullable(),
  wanted: z.string().nullable(),
  because: z.string(),
  sources: z.array(z.string()),
  at: z.string().nullable(),
});

/** One action as everybody is shown it: permitted, or closed with every reason in words. */
export const ActionView = z.strictObject({
  action: z.string(),
  on: z.string().nullable(),
  permitted: z.boolean(),
  because: z.array(z.string()),
  who: z.strictObject({ by: z.array(z.string()), people: z.array(Who), notPeople: z.array(Who) }),
});
export type ActionView = z.infer<typeof ActionView>;

export const TargetView = z.strictObject({
  id: z.string(),
  name: z.string(),
  batch: z.number(),
  role: z.enum(["canary", "member"]),
  mode: z.enum(["update", "validate_only"]),
  class: z.string(),
  step: z.string(),
  outcome: z.string(),
  aim: z.enum(["goal", "prior"]),
  generation: z.number(),
  gpus: z.number(),
  since: z.string(),
  because: z.string().nullable(),
  needsInvestigation: z.boolean(),
  investigator: Who.nullable(),
  releasedTo: Who.nullable(),
  ticket: z.string().nullable(),
  service: z.string().nullable(),
  serviceReason: z.string().nullable(),
  configuration: z.record(z.string(), Fact).nullable(),
  waits: z.array(z.string()),
});
export type TargetView = z.infer<typeof TargetView>;

export const CheckRow = z.strictObject({
  id: z.string(),
  gate: z.string(),
  name: z.string(),
  scope: z.string(),
  on: z.string(),
  batch: z.number().nullable(),
  generation: z.number(),
  word: z.string(),
  verdict: z.string().nullable(),
  reason: z.string().nullable(),
  because: z.string(),
  waivedUntil: z.string().nullable(),
  judgedAt: z.string().nullable(),
});
export type CheckRow = z.infer<typeof CheckRow>;

/** Everything the page, the API and the CLI show of one change; made by `changeView`, so all three say the same. Instants are ISO texts in UTC. */
export const ChangeView = z.strictObject({
  id: z.string(),
  version: z.number(),
  title: z.string(),
  ticket: z.string().nullable(),
  cluster: z.string(),
  type: z.string(),
  purpose: z.string(),
  profile: z.string(),
  urgency: z.string(),
  execution: z.string(),
  advance: z.string(),
  state: z.string(),
  outcome: z.string().nullable(),
  revision: z.number(),
  fingerprint: z.string(),
  goal: z.strictObject({ component: z.string(), version: z.string() }),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  people: z.strictObject({ author: Who, operator: Who, owner: Who, decisionOwner: Who.nullable(), ranBy: z.array(Who) }),
  /** First line of the page: where this stands, then what is next and who. */
  headline: z.strictObject({ stands: z.string(), next: z.string() }),
  nextAction: z.strictObject({
    by: z.enum(["person", "worker", "nobody"]),
    action: z.string().nullable(),
    on: z.string().nullable(),
    who: z.array(Who),
    sentence: z.string(),
  }),
  sentences: z.array(z.string()),
  actions: z.array(ActionView),
  gates: z.array(z.strictObject({ gate: z.string(), is: z.string(), because: z.array(z.string()), at: z.string().nullable() })),
  notChecked: z.array(z.string()),
  tally: z.record(z.string(), z.number()),
  batches: z.array(
    z.strictObject({
      number: z.number(),
      extraOf: z.number().nullable(),
      state: z.string(),
      askedFor: z.boolean(),
      notBefore: z.string().nullable(),
      targets: z.array(z.string()),
      waits: z.array(z.string()),
    }),
  ),
  targets: z.array(TargetView),
  checks: z.array(CheckRow),
  commands: z.array(
    z.strictObject({
      key: z.string(),
      kind: z.string(),
      state: z.string(),
      startedAt: z.string().nullable(),
      finishedAt: z.string().nullable(),
      because: z.string(),
      run: z.string().nullable(),
    }),
  ),
  classes: z.array(
    z.strictObject({
      id: z.number(),
      label: z.string(),
      nodes: z.number(),
      job: z.string().nullable(),
      baseline: z.string().nullable(),
      signed: z.boolean(),
    }),
  ),
  reports: z.array(
    z.strictObject({
      id: z.string(),
      class: z.string(),
      number: z.number(),
      canary: z.string(),
      fingerprint: z.string(),
      createdAt: z.string(),
      findings: z.record(z.string(), z.strictObject({ verdict: z.string(), because: z.string() })),
      metrics: z.array(
        z.strictObject({
          metric: z.string(),
          bucket: z.number(),
          placement: z.string(),
          unit: z.string(),
          baseline: z.number(),
          measured: z.number(),
          ratioPct: z.number(),
          judged: z.boolean(),
          verdict: z.string(),
        }),
      ),
    }),
  ),
  holds: z.array(
    z.strictObject({ id: z.string(), kind: z.string(), batch: z.number().nullable(), owner: Who, because: z.string(), since: z.string() }),
  ),
  findings: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.string(),
      on: z.string(),
      because: z.string(),
      blocks: z.boolean(),
      acceptedBy: z.string().nullable(),
      openedAt: z.string(),
      closedAt: z.string().nullable(),
    }),
  ),
  decisions: z.array(
    z.strictObject({
      id: z.string(),
      kind: z.string(),
      on: z.string(),
      choice: z.string(),
      permits: z.string(),
      reason: z.string(),
      by: Who,
      at: z.string(),
      until: z.string().nullable(),
      revoked: z.boolean(),
    }),
  ),
  obligations: z.array(z.strictObject({ id: z.string(), kind: z.string(), on: z.string(), name: z.string(), since: z.string() })),
  rehearsals: z.array(z.strictObject({ id: z.string(), kind: z.string(), text: z.string(), at: z.string() })),
  windows: z.array(z.strictObject({ id: z.string(), startsAt: z.string(), endsAt: z.string(), timezone: z.string() })),
  /** Against the window, with the batches that were worked on; null without a window or batches. */
  pace: z
    .strictObject({
      booked: z.strictObject({ startsAt: z.string(), endsAt: z.string(), timezone: z.string() }),
      spans: z.array(z.strictObject({ batch: z.number(), from: z.string(), to: z.string().nullable() })),
      perBatch: z.strictObject({ minMinutes: z.number(), maxMinutes: z.number(), measuredMinutes: z.number().nullable() }),
      delayMinutes: z.number(),
      left: z.strictObject({ batches: z.number(), nodes: z.number() }),
      fits: z.strictObject({ least: z.number(), most: z.number() }),
      finish: z.strictObject({ earliest: z.string(), latest: z.string() }).nullable(),
      sentence: z.string(),
    })
    .nullable(),
  capacity: z.strictObject({
    ours: z.strictObject({ nodes: z.number(), gpus: z.number() }),
    limits: z.strictObject({ ownGpus: z.number(), totalNodes: z.number() }),
    others: z.array(z.strictObject({ name: z.string(), because: z.string() })),
    pctOut: z.number(),
  }),
  sources: z.array(
    z.strictObject({
      source: z.string(),
      confirmsAt: z.string().nullable(),
      failedAt: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
});
export type ChangeView = z.infer<typeof ChangeView>;
