import type { AcceptanceReport, Finding4 } from "@/lib/core/acceptance/report";
import type { ReadingView, ReportView } from "@/lib/core/change/snapshot";
import type { ConfigBoard, ConfigRow } from "@/lib/core/config-state/board";
import type { ChangeId, ClassId } from "@/lib/core/kernel/ids";
import { aHash } from "./a-hash";
import { REPORT_FINGERPRINT } from "./a-decision";
import { at } from "./a-moment";
import { JS } from "./a-person";
import { aValue } from "./a-target";

const notHere = { verdict: "not_applicable", because: "this cluster has no scale sets" } as const;
export const aConfigRow = (overrides: Partial<ConfigRow> = {}): ConfigRow => ({
  cluster_definition: { verdict: "matches", known: aValue("570.172.08"), wanted: "570.172.08" },
  vmss_model: notHere,
  instance_model: notHere,
  host_report: { verdict: "matches", known: aValue("570.172.08"), wanted: "570.172.08" },
  ...overrides,
});
export const aBoard = (overrides: Partial<ConfigBoard> = {}): ConfigBoard => ({
  before: null,
  now: aConfigRow(),
  afterRollback: null,
  sentences: [{ says: "all_agree", node: "gpu001" }],
  complete: true,
  pending: [],
  ...overrides,
});

const aPassed = (because: string): Finding4 => ({ verdict: "pass", reason: "as_expected", because });

export const aReport = (overrides: Partial<AcceptanceReport> = {}): AcceptanceReport => ({
  changeId: "chg-1" as ChangeId,
  classId: 1 as ClassId,
  canary: "gpu001",
  number: 1,
  job: {
    name: "nccl-h100",
    version: 3,
    fingerprint: aHash("job 3"),
    inputSha: aHash("input"),
    appVersion: "nccl-tests 2.19.6",
  },
  comparable: aPassed("same input, version, class and rank count"),
  correct: aPassed("0 wrong values in 3 runs"),
  executed: aPassed("exit 0 three times, no requeue"),
  compared: aPassed("busbw 458.2 GB/s, baseline 460.0, 99.6 %"),
  metrics: [],
  undeclared: [],
  checks: [{ name: "driver version", verdict: "pass", because: "every GPU reports 570.172.08", waived: false }],
  board: aBoard(),
  acceptanceWaived: false,
  throughScheduler: true,
  covers: { classId: 1 as ClassId, nodes: 12 },
  uncovered: [],
  ...overrides,
});

export const aReportView = (overrides: Partial<ReportView> = {}): ReportView => ({
  id: "report-1",
  classId: 1 as ClassId,
  number: 1,
  body: aReport(),
  fingerprint: REPORT_FINGERPRINT,
  createdAt: at(-15),
  ...overrides,
});

/** A second reading that saw what the record says. */
export const aReadingView = (overrides: Partial<ReadingView> = {}): ReadingView => ({
  id: "reading-1",
  reportId: "report-1",
  readerId: JS,
  differences: [],
  at: at(-6),
  ...overrides,
});
