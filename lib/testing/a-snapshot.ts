import { limitsOf } from "@/lib/core/change/capacity";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { ChangeId, ClassId } from "@/lib/core/kernel/ids";
import { aBatch } from "./a-batch";
import { aPreflight } from "./a-check";
import { aDecision, aSignOff, PLAN_FINGERPRINT } from "./a-decision";
import { aHash } from "./a-hash";
import { aLockedJob } from "./a-job";
import { A_CLASS, aLayout } from "./a-layout";
import { NOW, at } from "./a-moment";
import { AK, DV, JS, LT, MR, PEOPLE } from "./a-person";
import { aPlan } from "./a-plan";
import { aRehearsalView } from "./a-rehearsal";
import { aReadingView, aReportView } from "./a-report";
import { aTarget } from "./a-target";

type Overrides = Partial<Omit<Snapshot, "change" | "cluster" | "rollback">> & {
  readonly change?: Partial<Snapshot["change"]>;
  readonly cluster?: Partial<Snapshot["cluster"]>;
  readonly rollback?: Partial<Snapshot["rollback"]>;
};

/**
 * A GPU driver change of profile medium at NOW: IN_PROGRESS, twelve nodes in three batches, the canary gpu001 accepted, its report signed and read,
 * every gate before the batches done and fresh, the window open, nothing held. `change`, `cluster` and `rollback` are merged, everything else replaced.
 */
export function aSnapshot(overrides: Overrides = {}): Snapshot {
  const { change, cluster, rollback, ...rest } = overrides;
  const all = Array.from({ length: 12 }, (_, i) => aTarget(i + 1));
  const targets = all.map((t) => (t.role === "canary" ? { ...t, step: "accepted" as const, since: at(-16), updateBegan: true } : t));
  return {
    change: {
      id: "chg-1" as ChangeId,
      version: 7,
      title: "GPU driver 570.172.08",
      ticket: "CHG0041234",
      clusterId: "sim-h100",
      type: "gpu_driver",
      purpose: "maintenance",
      state: "IN_PROGRESS",
      outcome: null,
      createdAt: at(-600),
      startedAt: at(-50),
      endedAt: null,
      advance: "manual",
      execution: "automatic",
      urgency: "planned",
      ownerId: AK,
      authorId: AK,
      operatorId: AK,
      people: { operator: [AK], workloadOwner: [LT], approver: [MR], secondEngineer: [JS], decisionOwner: DV },
      revision: 1,
      planFingerprint: PLAN_FINGERPRINT,
      standingFingerprint: aHash("standing 1"),
      validateSha: aHash("validate"),
      commandsSha: aHash("commands"),
      goal: {
        component: "gpu_driver",
        text: "570.172.08",
        persistence: { kind: "config-management", observe: "cat /etc/site/driver-version" },
      },
      profile: "medium",
      rebootNeeded: true,
      canariesAskedFor: true,
      preflightPassedAt: at(-55),
      ...change,
    },
    plan: aPlan(),
    layout: aLayout(),
    narrowing: {},
    separation: { authorIds: [AK], ranIds: [AK] },
    cluster: { id: "sim-h100", production: true, disposable: false, hasTopology: true, computeNodes: 64, ...cluster },
    classes: [
      {
        id: 1 as ClassId,
        label: A_CLASS,
        facts: {
          serverModel: "sim-h100-server",
          accelerator: { model: "h100", count: 8 },
          hca: { model: "cx7", count: 8 },
          environment: "ubuntu22",
        },
        nodes: 12,
      },
    ],
    jobs: [aLockedJob()],
    available: [],
    runs: [],
    reports: [aReportView()],
    readings: [aReadingView()],
    rehearsals: [aRehearsalView("failure"), aRehearsalView("recovery")],
    readingAsked: false,
    standing: [],
    windows: [{ id: "window-1", startsAt: at(-60), endsAt: at(7 * 60), timezone: "Europe/Berlin" }],
    lastMaintenance: null,
    freezes: [],
    announcedAt: null,
    offer: null,
    batches: [aBatch(1), aBatch(2), aBatch(3)],
    targets,
    commands: [],
    checks: aPreflight(),
    holds: [],
    decisions: [aDecision(), aSignOff()],
    findings: [],
    obligations: [],
    places: [],
    readBack: [],
    rollback: { failedBatches: 0, streak: 0, committedAt: null, ...rollback },
    limits: limitsOf(
      [1, 2, 3].map(() => ({ nodes: 4, gpus: 32 })),
      64,
      null,
    ),
    others: [],
    totalGpus: 512,
    handOf: null,
    sources: [{ source: "slurm", confirmsAt: NOW, failedAt: null, reason: null }],
    people: PEOPLE,
    wakeSeq: 1,
    ...rest,
  };
}
