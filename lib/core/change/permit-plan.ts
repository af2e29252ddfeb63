import {
  ACCEPTABLE_LACKS,
  approvalInForce,
  findingReason,
  isLackAccepted,
  openPlanFindings,
  rejectionOf,
  type AcceptableLack,
} from "./approval";
import { classesInPlay, labelOfClass } from "./class-in-play";
import { lackingIn } from "./gate";
import { GATE_PROFILES } from "./gate-profiles";
import { notYet, onChange, orNone, settled, when, type ActLook, type PermitRule, type Possible } from "./permit-look";
import { isRecoveryLacking } from "./rehearsal-need";
import type { Snapshot } from "./snapshot";

export const mayEditPlan: PermitRule = ({ s }) =>
  onChange(
    when(s.change.state === "IN_PROGRESS" && s.holds.length === 0, notYet("nodes may go out while the plan is edited", "pause first")),
  );

export const mayNarrow: PermitRule = () => onChange([]);

export const maySplitClass: PermitRule = ({ s }) =>
  s.classes.map((c) => ({ on: c.label, because: when(c.nodes < 2, settled(`${c.label} has a single node`)) }));

export const mayMergeClasses: PermitRule = ({ s }) =>
  s.classes.map((c) => ({ on: c.label, because: when(s.classes.length < 2, settled("there is only one class")) }));

export const mayLockJob: PermitRule = ({ s }) => {
  const without = classesInPlay(s).filter((id) => !s.available.some((a) => a.classId === id));
  return onChange([
    ...when(isLocked(s), settled("the jobs of this revision are locked; an edit of the plan opens them again")),
    ...without.map((id) => notYet(`there is no acceptance job for ${labelOfClass(s, id)}`, "publish one")),
  ]);
};
const isLocked = (s: Snapshot): boolean => s.jobs.length > 0 && classesInPlay(s).every((id) => s.jobs.some((j) => j.classId === id));

/** A canary that stands before its update, because its own baseline was not usable, measures it again (R3.3). */
export const mayCaptureBaseline: PermitRule = ({ s, now }) =>
  s.classes.map((c) => {
    const job = s.jobs.find((j) => j.classId === c.id);
    if (job === undefined)
      return { on: c.label, because: [notYet(`${c.label} has no locked acceptance job`, "lock one, with a baseline or with capture")] };
    if (!job.capture)
      return { on: c.label, because: [settled(`${c.label} is compared with baseline ${job.baseline?.id ?? "none"}, as locked`)] };
    if (job.baseline !== null) return { on: c.label, because: [settled(`the baseline of ${c.label} is captured`)] };
    const held = s.targets.find((t) => t.classId === c.id && t.role === "canary" && t.step === "unresolved" && !t.updateBegan);
    const check =
      held === undefined
        ? undefined
        : s.checks.find((k) => k.gate === "baseline" && k.targetId === held.id && k.generation === held.generation);
    const ready = check !== undefined && check.verdict !== "pass" && (check.dueAt === null || check.verdict !== null || check.dueAt < now);
    return {
      on: c.label,
      because: when(
        !ready,
        notYet(`the canary of ${c.label} captures its baseline in its own drain, just before its update`, "start the canaries"),
      ),
    };
  });

export const mayLinkRehearsal: PermitRule = ({ s }) =>
  onChange(when(GATE_PROFILES[s.change.profile].failingTest === "never", settled("a rehearsal needs no rehearsal")));

/** Findings that are open and name who accepts them, and what an approver may accept as lacking. */
export const mayAcceptFinding: PermitRule = (look) => {
  const { s } = look;
  const rows = s.findings
    .filter((f) => f.closedAt === null)
    .map((f): Possible => {
      const none = f.acceptedBy === null || f.acceptedBy === "nobody";
      return { on: f.id, because: when(none, findingReason(f)), holders: none ? [] : acceptorsOf(s, f.acceptedBy ?? "") };
    });
  const lacks = lacking(look).map((lack): Possible => ({
    on: lack,
    because: when(isLackAccepted(s, lack, look.now), settled(`accepted: ${ACCEPTABLE_LACKS[lack]}`)),
    holders: acceptorsOf(s, "approver"),
  }));
  return orNone([...rows, ...lacks], "no finding is open", "nothing to accept");
};

/** A role's people, or the one person the finding names. */
const acceptorsOf = (s: Snapshot, acceptedBy: string) => {
  const named = s.people.filter((p) => p.id === acceptedBy);
  const people = named.length > 0 ? named : s.people.filter((p) => p.roles.includes(acceptedBy));
  return people.map((p) => p.id);
};

function lacking({ s, gates, now }: ActLook): readonly AcceptableLack[] {
  const profile = GATE_PROFILES[s.change.profile];
  const recovery = profile.recovery;
  const mayBeUntested =
    recovery === "approver_accepts" || (typeof recovery !== "string" && recovery.otherwise === "approver_accepts_untested");
  const noBaseline =
    profile.jobAndBaseline === "reuse_or_waiver" && (gates.baseline.is !== "done" || isLackAccepted(s, "no_baseline", now));
  return [
    ...(mayBeUntested && isRecoveryLacking(s, now) ? (["recovery_untested"] as const) : []),
    ...(noBaseline ? (["no_baseline"] as const) : []),
  ];
}

export const mayApprovePlan: PermitRule = (look) => {
  const { s, gates, now } = look;
  const approval = approvalInForce(s, now);
  const rejected = rejectionOf(s);
  const before = (["acceptance_job", "baseline", "rehearsal"] as const).flatMap((gate) => lackingIn(gates[gate]));
  const unacceptable = openPlanFindings(s)
    .filter((f) => f.acceptedBy !== "approver")
    .map(findingReason);
  return onChange([
    ...when(approval.inForce && !approval.standing, settled("this plan is approved")),
    ...when(
      rejected !== null && !approval.inForce,
      notYet(`this plan was rejected: ${rejected?.reason ?? ""}`, "a new revision is needed"),
    ),
    ...s.layout.conflicts.map((c) => notYet(c.text, "change the plan")),
    ...before,
    ...unacceptable,
  ]);
};

export const mayRejectPlan: PermitRule = ({ s, now }) => {
  const approval = approvalInForce(s, now);
  return onChange([
    ...when(approval.inForce, settled("this plan is approved; revoke the approval instead")),
    ...when(rejectionOf(s) !== null && !approval.inForce, settled("this plan is rejected")),
  ]);
};

export const mayBookWindow: PermitRule = ({ s, now }) => [
  ...onChange([]),
  ...s.windows.map((w) => ({ on: w.id, because: when(w.startsAt <= now, settled("this window has begun and cannot be moved")) })),
];

export const mayCancelWindow: PermitRule = ({ s, now }) =>
  orNone(
    s.windows.map((w) => ({ on: w.id, because: when(w.startsAt <= now, settled("this window has begun")) })),
    "no window is booked",
    "book one",
  );

export const mayGrantRelaxation: PermitRule = () => onChange([]);
