import { expect, it } from "vitest";
import { aCheck } from "@/lib/testing/a-check";
import { aSignOff } from "@/lib/testing/a-decision";
import { aReport, aReportView } from "@/lib/testing/a-report";
import { aSnapshot } from "@/lib/testing/a-snapshot";
import { canaryRecord } from "./canary-record";

const check = (name: string, verdict: "pass" | "fail" | "unresolved", waived = false) => ({
  name,
  verdict,
  because: `${name} was read`,
  waived,
});
const recordOf = (overrides: Parameters<typeof aReport>[0], more: Parameters<typeof aSnapshot>[0] = {}) =>
  canaryRecord(aSnapshot({ reports: [aReportView({ body: aReport(overrides) })], decisions: [], ...more }), "report-1");

it("what has no value stands first, then what fails; a waived check is never among the passes (R2.7)", () => {
  const checks = [check("a", "pass"), check("b", "unresolved", true), check("c", "fail"), check("d", "unresolved")];
  expect(recordOf({ checks })?.checks.map(({ name, word }) => [name, word])).toEqual([
    ["d", "Unresolved"],
    ["c", "Fail"],
    ["b", "Waived"],
    ["a", "Pass"],
  ]);
});

it("a record with a check without a value says that the canary is not proven, never that it passed", () => {
  const record = recordOf({ checks: [check("xid errors", "unresolved")] });
  expect(record?.stands).toContain("gpu001 is not proven: 1 without a value (xid errors)");
  expect(record?.open).toEqual([{ name: "xid errors", verdict: "unresolved", because: "xid errors was read" }]);
});

it("a finding that is not known opens the record like a failure, each of the four for itself (R3)", () => {
  const unknown = { verdict: "unresolved", reason: "missing", because: "the output is cut" } as unknown as ReturnType<
    typeof aReport
  >["executed"];
  const record = recordOf({ executed: unknown });
  expect(record?.findings.map(({ name, verdict }) => [name, verdict])).toEqual([
    ["comparable", "pass"],
    ["correct", "pass"],
    ["executed", "unresolved"],
    ["compared", "pass"],
  ]);
  expect(record?.stands).toContain("not proven");
});

it("a signature on this record is shown with who gave it, an older record says that it counts no more, a strange one is none", () => {
  const reports = [aReportView(), aReportView({ id: "report-2", number: 2 })];
  const s = aSnapshot({ reports, decisions: [aSignOff()], checks: [aCheck()] });
  expect(canaryRecord(s, "report-1")).toMatchObject({ newest: false, number: 1 });
  expect(canaryRecord(s, "report-2")).toMatchObject({ newest: true, signed: null });
  expect(canaryRecord(s, "report-1")?.signed?.revoked).toBe(false);
  expect(canaryRecord(s, "report-9")).toBeNull();
});
