import { checkWord } from "@/lib/core/check/verdict";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { Wait } from "../wait";
import { capacity } from "../capacity";
import { explain } from "../explain";
import { gateStates, signedClasses } from "../gate";
import { permittedActions } from "../permitted-actions";
import type { Policy } from "../policy";
import { NOT_CHECKED } from "../preflight";
import { sentence, type Names } from "../sentence";
import type { Snapshot } from "../snapshot";
import { tally } from "../tally";
import type { ChangeView } from "./change-view";
import { paceOf } from "./pace";
import { targetViews } from "./target-views";

type Evidence = Pick<Snapshot, "checks" | "commands">;

/** The record as it is shown. `waits`: why what stands still stands still, from the same look that decides; `evidence`: every check and command. */
export function toChangeView(s: Snapshot, policy: Policy, now: Date, waits: readonly Wait[], evidence: Evidence = s): ChangeView {
  const names = namesOf(s);
  const who = (id: PersonId) => ({ id, name: names.person(id) });
  const told = explain(s, policy, now);
  const gates = gateStates(s, policy, now);
  const signed = signedClasses(s, now);
  const classLabel = (id: number) => s.classes.find((one) => one.id === id)?.label ?? `class ${id}`;
  const onName = (id: string) => s.targets.find((target) => target.id === id)?.name ?? id;
  const room = capacity(s.limits, s.targets, s.others, s.totalGpus);
  const { change } = s;
  return {
    id: change.id,
    version: change.version,
    title: change.title,
    ticket: change.ticket,
    cluster: change.clusterId,
    type: change.type,
    purpose: change.purpose,
    profile: change.profile,
    urgency: change.urgency,
    execution: change.execution,
    advance: change.advance,
    state: change.state,
    outcome: change.outcome,
    revision: change.revision,
    fingerprint: change.planFingerprint,
    goal: { component: change.goal.component, version: change.goal.text },
    createdAt: change.createdAt.toISOString(),
    startedAt: iso(change.startedAt),
    endedAt: iso(change.endedAt),
    people: {
      author: who(change.authorId),
      operator: who(change.operatorId),
      owner: who(change.ownerId),
      decisionOwner: change.people.decisionOwner === null ? null : who(change.people.decisionOwner),
      ranBy: s.separation.ranIds.map(who),
    },
    headline: { stands: told.stands, next: told.next },
    nextAction: nextView(told, who),
    sentences: [...told.sentences],
    actions: permittedActions(s, policy, now).map((state) => ({
      action: state.action,
      on: state.on,
      permitted: state.permitted,
      because: state.permitted ? [] : state.because.map((reason) => sentence(reason, names)),
      who: { by: [...state.who.by], people: state.who.people.map(who), notPeople: state.who.notPeople.map(who) },
    })),
    gates: Object.entries(gates).map(([gate, state]) => ({
      gate,
      is: state.is,
      because:
        state.is === "done" ? [] : state.is === "not_applicable" ? [state.because] : state.because.map((reason) => sentence(reason, names)),
      at: state.is === "done" ? state.at.toISOString() : null,
    })),
    notChecked: [...NOT_CHECKED],
    tally: tally(s.targets),
    batches: s.batches.map((batch) => ({
      number: batch.number,
      extraOf: batch.extraOf,
      state: batch.state,
      askedFor: batch.askedFor,
      notBefore: iso(batch.notBefore),
      targets: s.targets.filter((target) => target.batch === batch.number).map((target) => target.name),
      waits: waits
        .filter((wait) => wait.about.what === "batch" && wait.about.id === String(batch.number))
        .map((wait) => sentence(wait.because, names)),
    })),
    targets: targetViews(s, waits, names),
    checks: evidence.checks.map((check) => ({
      id: check.id,
      gate: check.gate,
      name: check.name,
      scope: check.scope,
      on: check.targetId === null ? (check.classId === null ? "the change" : classLabel(check.classId)) : onName(check.targetId),
      batch: check.batch,
      generation: check.generation,
      word: checkWord(check, now),
      verdict: check.verdict,
      reason: check.reason,
      // Shown for ever, also when the waiver has ended (R2.7).
      because: check.waivedUntil === null ? check.because : `${check.because}; advanced without evidence`,
      waivedUntil: iso(check.waivedUntil),
      judgedAt: iso(check.judgedAt),
    })),
    commands: evidence.commands.map((command) => ({
      key: command.key,
      kind: command.kind,
      state: command.state,
      startedAt: iso(command.startedAt),
      finishedAt: iso(command.finishedAt),
      because: command.outcome?.because ?? command.because,
      run: "run" in command.request ? command.request.run : null,
    })),
    classes: s.classes.map((one) => {
      const job = s.jobs.find((locked) => locked.classId === one.id);
      const baseline = job === undefined ? null : job.capture ? "captured by the canary" : (job.baseline?.id ?? null);
      return {
        id: one.id,
        label: one.label,
        nodes: one.nodes,
        job: job === undefined ? null : `${job.spec.name}@${job.spec.version}`,
        baseline,
        signed: signed.includes(one.id),
      };
    }),
    reports: s.reports.map((report) => ({
      id: report.id,
      class: classLabel(report.classId),
      number: report.number,
      canary: report.body.canary,
      fingerprint: report.fingerprint,
      createdAt: report.createdAt.toISOString(),
      findings: Object.fromEntries(
        (["comparable", "correct", "executed", "compared"] as const).map((name) => [
          name,
          { verdict: report.body[name].verdict, because: report.body[name].because },
        ]),
      ),
      metrics: report.body.metrics.map((metric) => ({
        metric: metric.metric,
        bucket: metric.bucket,
        placement: metric.placement,
        unit: metric.unit,
        baseline: metric.baseline.median,
        measured: metric.measured.median,
        ratioPct: metric.ratioPct,
        judged: metric.judged,
        verdict: metric.verdict,
      })),
    })),
    holds: s.holds.map((hold) => ({
      id: hold.id,
      kind: hold.kind,
      batch: hold.batch,
      owner: who(hold.ownerId),
      because: hold.because,
      since: hold.since.toISOString(),
    })),
    findings: s.findings.map((finding) => ({
      id: finding.id,
      kind: finding.kind,
      on: finding.on,
      because: finding.because,
      blocks: finding.blocks,
      acceptedBy: finding.acceptedBy,
      openedAt: finding.openedAt.toISOString(),
      closedAt: iso(finding.closedAt),
    })),
    decisions: s.decisions.map((decision) => ({
      id: decision.id,
      kind: decision.kind,
      on: `${decision.on.what} ${onName(decision.on.id)}`,
      choice: decision.choice,
      permits: decision.permits,
      reason: decision.reason,
      by: who(decision.byId),
      at: decision.at.toISOString(),
      until: iso(decision.until),
      revoked: decision.revoked,
    })),
    obligations: s.obligations.map((one) => ({ id: one.id, kind: one.kind, on: one.on, name: one.name, since: one.since.toISOString() })),
    rehearsals: s.rehearsals.map((one) => ({ id: one.rehearsalId, kind: one.kind, text: one.finding.text, at: one.at.toISOString() })),
    windows: s.windows.map((booked) => ({
      id: booked.id,
      startsAt: booked.startsAt.toISOString(),
      endsAt: booked.endsAt.toISOString(),
      timezone: booked.timezone,
    })),
    pace: paceOf(s, now, evidence.commands),
    capacity: {
      ours: { nodes: room.ours.nodes, gpus: room.ours.gpus },
      limits: room.limits,
      others: room.others.map(({ name, because }) => ({ name, because })),
      pctOut: room.pctOut,
    },
    sources: s.sources.map((source) => ({
      source: source.source,
      confirmsAt: iso(source.confirmsAt),
      failedAt: iso(source.failedAt),
      reason: source.reason,
    })),
  };
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

export const namesOf = (s: Pick<Snapshot, "people">): Names => ({
  person: (id) => s.people.find((person) => person.id === id)?.name ?? id,
});

type Told = ReturnType<typeof explain>;
type Who = { readonly id: string; readonly name: string };

function nextView(told: Told, who: (id: PersonId) => Who): ChangeView["nextAction"] {
  const { nextAction: next } = told;
  return {
    by: next.by,
    action: next.by === "person" ? next.action : null,
    on: next.by === "person" ? next.on : null,
    who: next.by === "person" ? next.who.map(who) : [],
    sentence: told.next,
  };
}
