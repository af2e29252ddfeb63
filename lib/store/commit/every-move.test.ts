import { afterEach, beforeEach, expect, it } from "vitest";
import type { Move } from "@/lib/core/change/move";
import type { Snapshot } from "@/lib/core/change/snapshot";
import type { CheckId, ClassId, CommandKey, PersonId, SubjectId, TargetId } from "@/lib/core/kernel/ids";
import { aHash } from "@/lib/testing/a-hash";
import { aJobSpec } from "@/lib/testing/a-job";
import { aLayout, nodeName } from "@/lib/testing/a-layout";
import { at, NOW } from "@/lib/testing/a-moment";
import { aPlan } from "@/lib/testing/a-plan";
import { aReport } from "@/lib/testing/a-report";
import { aNewCheck } from "@/lib/testing/store-contract-moves";
import { aNewChange, aRecord, CHANGE, commitMoves, targetOf, type TestRecord } from "@/lib/testing/store-contract-record";

type Case<Kind extends Move["move"]> = {
  /** Committed first. */ readonly before?: (s: Snapshot) => readonly Move[];
  readonly move: (s: Snapshot) => Extract<Move, { readonly move: Kind }>;
  /** Part of the snapshot afterwards. */ readonly then: unknown;
};

const one = targetOf(1) as TargetId;
const AK = "AK" as PersonId;
const classId = (s: Snapshot): ClassId => s.classes[0]?.id ?? (0 as ClassId);
const target = (
  to: "checking" | "waiting",
  from: "waiting" | "checking" | "rolled_back" = "waiting",
): Extract<Move, { move: "target" }> => ({
  move: "target",
  id: one,
  from,
  to,
  aim: "goal",
  stage: 0,
  generation: 1,
  deadlineAt: at(30),
  because: "next",
});
const decision: Extract<Move, { move: "decision" }> = {
  move: "decision",
  id: "d1",
  kind: "hold",
  on: { what: "change", id: CHANGE },
  checkId: null,
  choice: "pause",
  permits: "nothing new",
  facts: { batchSize: 2 },
  reason: "lunch",
  fingerprint: aHash("seen"),
  byId: AK,
  until: at(60),
};
const hold: Extract<Move, { move: "hold" }> = {
  move: "hold",
  kind: "person",
  batch: null,
  targetId: null,
  ownerId: AK,
  because: "lunch",
  decisionId: "d1",
};
const finding: Extract<Move, { move: "finding" }> = {
  move: "finding",
  kind: "drift",
  key: "drift/gpu001",
  on: null,
  because: "other driver",
  blocks: true,
};
const obligation: Extract<Move, { move: "obligation" }> = {
  move: "obligation",
  id: "o1",
  kind: "drain",
  targetId: one,
  subjectId: null,
  name: "clearance:CH-1/gpu001",
  prior: null,
  madeBy: null,
  endsAt: null,
};
const check = aNewCheck({ targetId: one });
const offer: Extract<Move, { move: "offer" }> = { move: "offer", id: "h1", to: "DV" as PersonId, by: AK, expiresAt: at(60) };
const report = (s: Snapshot): Extract<Move, { move: "report" }> => ({
  move: "report",
  report: aReport({ changeId: CHANGE, classId: classId(s) }),
});
const reportId = (s: Snapshot): string => `${CHANGE}/report/${classId(s)}/${aReport().number}`;

/** Complete by type: a move without a case does not compile. */
const CASES: { readonly [Kind in Exclude<Move["move"], "baseline" | "command_done" | "judge" | "check_again">]: Case<Kind> } = {
  target: { move: () => target("checking"), then: { targets: [{ name: "gpu001", step: "checking", deadlineAt: at(30) }] } },
  deadline: {
    move: () => ({ move: "deadline", targetId: one, deadlineAt: at(90), because: "let it wait" }),
    then: { targets: [{ deadlineAt: at(90), because: "let it wait" }] },
  },
  role: {
    move: () => ({ move: "role", targetId: one, role: "member", because: "" }),
    then: { targets: [{ name: "gpu001", role: "member" }] },
  },
  saved: {
    move: () => ({ move: "saved", targetId: one, components: [{ name: "driver", savedVersion: "550.90.07" }] }),
    then: { targets: [{ rollback: [{ name: "driver", capability: "tested", savedVersion: "550.90.07" }] }] },
  },
  prior: {
    move: () => ({ move: "prior", targetId: one, service: { state: "in_service", reason: null } }),
    then: { targets: [{ prior: { state: "in_service", reason: null, jobs: [] } }] },
  },
  investigator: { move: () => ({ move: "investigator", targetId: one, personId: AK }), then: { targets: [{ investigatorId: AK }] } },
  released_to: {
    move: () => ({ move: "released_to", targetId: one, personId: AK, ticket: "T-1" }),
    then: { targets: [{ releasedToId: AK, ticket: "T-1" }] },
  },
  batch: {
    move: () => ({ move: "batch", number: 1, to: "running", notBefore: at(5), because: "" }),
    then: { batches: [{ number: 1, state: "running", notBefore: at(5) }, { number: 2 }, { number: 3 }] },
  },
  ask_batch: {
    move: () => ({ move: "ask_batch", number: 1, because: "" }),
    then: { batches: [{ number: 1, askedFor: true }, { number: 2 }, { number: 3 }] },
  },
  extra_batch: {
    before: () => [{ move: "ask_batch", number: 1, because: "" }],
    move: () => ({ move: "extra_batch", number: 4, extraOf: 1, targets: [one], because: "" }),
    then: { batches: [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4, extraOf: 1, askedFor: true }] },
  },
  retry_batch: {
    move: () => ({ move: "retry_batch", number: 4, targets: [one], because: "" }),
    then: { batches: [{ number: 1 }, { number: 2 }, { number: 3 }, { number: 4, extraOf: null, askedFor: false }] },
  },
  change: {
    move: () => ({ move: "change", to: "PREFLIGHT", outcome: null, because: "" }),
    then: { change: { state: "PREFLIGHT", startedAt: null, endedAt: null } },
  },
  count: {
    move: () => ({ move: "count", rollback: { failedBatches: 1, streak: 2, committedAt: NOW }, because: "" }),
    then: { rollback: { failedBatches: 1, streak: 2, committedAt: NOW } },
  },
  ask_canaries: { move: () => ({ move: "ask_canaries", because: "" }), then: { change: { canariesAskedFor: true } } },
  preflight: { move: () => ({ move: "preflight", passedAt: NOW, because: "" }), then: { change: { preflightPassedAt: NOW } } },
  owner: { move: () => ({ move: "owner", to: "DV" as PersonId }), then: { change: { ownerId: "DV" } } },
  confirmed_definition: {
    move: () => ({ move: "confirmed_definition", byId: AK }),
    then: { places: [{ on: "sim-h100", field: "cluster_definition", aim: "goal", match: { verdict: "unknown" } }] },
  },
  message: { move: () => ({ move: "message", urgency: "page", key: "k", title: "t", text: "x" }), then: {} },
  post_mortem: { move: () => ({ move: "post_mortem", ownerId: AK, dueAt: at(2880), trigger: "degraded" }), then: {} },
  hold: {
    before: () => [decision],
    move: () => hold,
    then: { holds: [{ kind: "person", ownerId: AK, byPerson: true, because: "lunch", since: NOW }] },
  },
  lift: { before: () => [decision, hold], move: () => ({ move: "lift", kind: "person", because: "" }), then: { holds: [] } },
  release_hold: {
    before: () => [decision, hold],
    move: (s) => ({ move: "release_hold", holdId: s.holds[0]?.id ?? "", byId: AK, reason: "back" }),
    then: { holds: [] },
  },
  obligation: { move: () => obligation, then: { obligations: [{ id: "o1", kind: "drain", on: "gpu001", since: NOW, prior: null }] } },
  settle: { before: () => [obligation], move: () => ({ move: "settle", obligationId: "o1", because: "gone" }), then: { obligations: [] } },
  finding: { move: () => finding, then: { findings: [{ kind: "drift", on: CHANGE, blocks: true, acceptedBy: null, closedAt: null }] } },
  close_finding: {
    before: () => [finding],
    move: () => ({ move: "close_finding", key: finding.key, because: "gone" }),
    then: { findings: [{ closedAt: NOW }] },
  },
  accept_finding: {
    before: () => [finding],
    move: (s) => ({ move: "accept_finding", findingId: s.findings[0]?.id ?? "", decisionId: "d1", because: "known" }),
    then: { findings: [{ closedAt: NOW }] },
  },
  check: {
    move: () => ({ move: "check", check }),
    then: { checks: [{ id: check.id, verdict: null, because: "not judged yet", spec: check.spec }] },
  },
  check_due: {
    before: () => [{ move: "check", check }],
    move: () => ({ move: "check_due", checkId: check.id, settlesAt: at(1), dueAt: at(2) }),
    then: { checks: [{ settlesAt: at(1), dueAt: at(2) }] },
  },
  decision: {
    move: () => ({ ...decision, kind: "narrowing" }),
    then: { decisions: [{ id: "d1", revoked: false, until: at(60), facts: { batchSize: 2 } }], narrowing: { batchSize: 2 } },
  },
  revision: {
    move: () => ({
      move: "revision",
      revision: 2,
      yaml: "two",
      plan: aPlan({ title: "Second thoughts", target: { ...aPlan().target, version: "571.1" } }),
      layout: aLayout({ batches: aLayout().batches.slice(0, 2) }),
      fingerprint: aHash("plan 2"),
      standingFingerprint: aHash("standing 2"),
      byId: "DV" as PersonId,
    }),
    then: {
      change: { title: "Second thoughts", revision: 2, planFingerprint: aHash("plan 2"), goal: { text: "571.1" } },
      batches: [{ number: 1 }, { number: 2 }],
      separation: { authorIds: ["AK", "DV"] },
    },
  },
  lock_job: {
    move: (s) => ({ move: "lock_job", classId: classId(s), jobId: "nccl-h100@3", baselineId: null, capture: true, byId: "LT" as PersonId }),
    then: { jobs: [{ jobId: "nccl-h100@3", capture: true, baseline: null, lockedAt: NOW, lockedById: "LT" }] },
  },
  window: {
    move: () => ({ move: "window", id: `${CHANGE}/window/1`, startsAt: at(0), endsAt: at(60), timezone: "UTC", byId: AK, state: "booked" }),
    then: { windows: [{ startsAt: at(0), endsAt: at(60), timezone: "UTC" }] },
  },
  link_rehearsal: {
    move: () => ({
      move: "link_rehearsal",
      rehearsalId: CHANGE,
      kind: "failure",
      byId: AK,
      finding: {
        text: "seen",
        endedAt: NOW.toISOString(),
        type: "gpu_driver",
        classes: [],
        targetVersion: "1",
        validateSha: "",
        commandsSha: "",
        recoveryMs: null,
      },
    }),
    then: { rehearsals: [{ rehearsalId: CHANGE, kind: "failure", at: NOW, finding: { text: "seen" } }] },
  },
  report: { move: report, then: { reports: [{ number: 1, createdAt: NOW, body: { canary: "gpu001" } }] } },
  reading: {
    before: (s) => [report(s)],
    move: (s) => ({
      move: "reading",
      id: "r1",
      reportId: reportId(s),
      byId: "JS" as PersonId,
      answers: { layers: {}, checks: {}, acceptedOn: "accepted", nextAction: "sign-off", decides: "MR", comment: "" },
      differences: [{ question: "checks", on: "driver", read: "fail", record: "pass", cannotTell: false }],
      fingerprint: aHash("r"),
    }),
    then: { readings: [{ id: "r1", readerId: "JS", differences: [{ on: "driver" }] }] },
  },
  offer: { move: () => offer, then: { offer: { id: "h1", to: "DV", by: "AK", expiresAt: at(60) } } },
  answer_offer: {
    before: () => [offer],
    move: () => ({ move: "answer_offer", id: "h1", answer: "declined", byId: "DV" as PersonId }),
    then: { offer: null },
  },
  node_class: {
    move: (s) => ({
      move: "node_class",
      label: "h100-8/cx7-8/ubuntu22#new",
      part: "new",
      madeFrom: [classId(s)],
      decisionId: "d1",
      targets: [one],
    }),
    then: { classes: [{ nodes: 11 }, { label: "h100-8/cx7-8/ubuntu22#new", nodes: 1 }] },
  },
};

let record: TestRecord;
beforeEach(async () => {
  record = await aRecord();
  const spec = aJobSpec();
  await record.store.saveAcceptanceJob(spec, "name: nccl-h100", "LT" as PersonId, aHash("job 3"), NOW);
});
afterEach(() => record.close());

const load = async (): Promise<Snapshot> => {
  const s = await record.store.loadSnapshot(CHANGE);
  if (s === null) throw new Error("no snapshot");
  return s;
};

it.each(Object.entries(CASES) as [string, Case<Move["move"]>][])(
  "the move %s is in the record and in its audit line",
  async (_name, { before, move, then }) => {
    if (before !== undefined) expect(await commitMoves(record, before(await load()))).toMatchObject({ ok: true });
    expect(await commitMoves(record, [move(await load())])).toMatchObject({ ok: true });
    const after = await load();
    const wanted = then as Record<string, unknown>;
    const seen: Record<string, unknown> = { ...after };
    // Of the targets only the first is spoken of.
    if (Array.isArray(wanted["targets"])) seen["targets"] = after.targets.filter((t) => t.name === nodeName(1));
    expect(seen).toMatchObject(wanted);
    const event = (await record.store.auditEvents(CHANGE)).at(-1);
    expect(Object.keys((JSON.parse(event?.body ?? "{}") as { rows: object }).rows).length).toBeGreaterThan(0);
  },
);

it("moves that need runs or commands first: baseline of a finished run", async () => {
  const s = await load();
  const key = `${CHANGE}/gpu001/start_run/1` as CommandKey;
  const request = { kind: "probe" as const, node: "gpu001", components: [] };
  await commitMoves(record, [], {
    commands: [{ key, kind: "start_run", targetId: one, generation: 1, deadlineAt: at(5), because: "", request }],
  });
  const claimed = await record.store.claimCommand(key, "w", NOW);
  await record.store.finishCommand({
    key,
    attempt: claimed?.attempt ?? 0,
    at: at(1),
    state: "succeeded",
    outcome: { result: "done", because: "" },
    evidence: [],
    evidenceSha: null,
    observations: [],
    boots: [],
    run: {
      id: "run1",
      jobId: "nccl-h100@3",
      classId: classId(s),
      subjectId: claimed?.subjectId ?? (0 as SubjectId),
      purpose: "baseline",
      repeat: 1,
      startedAt: NOW,
      finishedAt: at(1),
      hostEpoch: 0,
      context: { node: "gpu001", nodes: ["gpu001"], ranks: 8, sizes: [8], versions: { nccl: "2.21.5" } },
      execution: { exitCode: 0, signal: null, requeues: 0, wallMs: 1, throughScheduler: true },
      output: { sha256: aHash("o"), correct: "correct", because: "" },
      inputSha: aHash("input"),
      appVersion: "nccl-tests 2.19.6",
      evidenceSha: null,
      measurements: [{ metric: "busbw", bucket: 8 * 1024 ** 3, placement: "in-place", value: 460.5, unit: "GB/s" }],
    },
  });
  await commitMoves(record, [
    CASES.lock_job.move(s),
    { move: "baseline", classId: classId(s), jobId: "nccl-h100@3", runIds: ["run1"], because: "" },
  ]);
  const after = await load();
  expect(after.runs).toMatchObject([
    { id: "run1", node: "gpu001", commandKey: key, measurements: [{ bucket: 8 * 1024 ** 3, value: 460.5 }] },
  ]);
  expect(after.jobs[0]?.baseline).toMatchObject({
    changeId: CHANGE,
    inputSha: aHash("input"),
    summary: { rows: [{ median: 460.5, runs: 1, spread: 0 }] },
  });
});

it("an ended change wakes nobody any more and lets its nodes go to the next one (R7.3)", async () => {
  await commitMoves(record, [{ move: "change", to: "COMPLETED", outcome: "withdrawn", because: "" }]);
  expect(await record.store.unseenWake(CHANGE, 99)).toBeNull();
  const next = await record.store.createChange(aNewChange({ id: "CH-2" as never }));
  expect(next.ok).toBe(true);
});

it("a move about something that is not in the record is a bug and changes nothing", async () => {
  const before = await load();
  await expect(commitMoves(record, [{ move: "check_due", checkId: "nothing" as CheckId, settlesAt: null, dueAt: null }])).rejects.toThrow(
    /not in the record/,
  );
  await expect(commitMoves(record, [{ ...target("waiting", "rolled_back") }])).rejects.toThrow(/not in the record/);
  expect((await load()).change.version).toBe(before.change.version);
});
