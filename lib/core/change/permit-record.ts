import { closeReasons, endsEarly } from "./close-rules";
import { countsStill, standsAt } from "./decision-rules";
import { gatesBefore, lackingIn } from "./gate";
import { notYet, onChange, orNone, settled, when, type PermitRule, type Possible } from "./permit-look";
import type { DecisionView, Snapshot } from "./snapshot";
import { STEP_TRAITS } from "./step";

export const mayOfferOwnership: PermitRule = ({ s, now }) =>
  onChange(when(isOfferOpen(s, now), notYet("ownership is offered already", "wait for the answer")));

export const mayAnswerOffer: PermitRule = ({ s, now }) =>
  onChange(when(!isOfferOpen(s, now), notYet("no ownership is offered", "its owner offers it")), {
    holders: s.offer === null ? [] : [s.offer.to],
  });

/** An offer ends by itself: then the owner remains the owner (R12.2). */
const isOfferOpen = (s: Snapshot, now: Date): boolean => s.offer !== null && s.offer.expiresAt > now;

/** Read back as gone, or handed over. A node that stays out is released or handed over at the close instead. */
export const maySettleObligation: PermitRule = ({ s }) =>
  orNone(
    s.obligations.map((o): Possible => {
      const target = s.targets.find((t) => t.id === o.targetId);
      const busy = target !== undefined && STEP_TRAITS[target.step].holdsSlot;
      return { on: o.id, because: when(busy, notYet(`${target?.name ?? o.on} is still out`, "release it, or bring it back")) };
    }),
    "nothing of ours is left out there",
    "nothing to settle",
  );

const REVOCABLE: ReadonlySet<DecisionView["kind"]> = new Set([
  "plan_approval",
  "standing_approval",
  "sign_off",
  "waiver",
  "judgement",
  "relaxation",
  "finding_accepted",
  "narrowing",
  "rejection",
]);

export const mayRevoke: PermitRule = ({ s, now }) =>
  orNone(
    s.decisions
      .filter((d) => REVOCABLE.has(d.kind))
      .map((d): Possible => ({ on: d.id, because: when(!stillCounts(s, d, now), settled("this decision counts no more")) })),
    "no decision counts",
    "nothing to revoke",
  );

const stillCounts = (s: Snapshot, d: DecisionView, now: Date): boolean =>
  d.kind === "plan_approval" ? countsStill(d, s.change.planFingerprint, now).counts : standsAt(d, now);

export const mayWithdraw: PermitRule = () => onChange([]);

/** All gates done, or a stop decided; nothing under way, held, undecided, blocked or owed (R7.3). */
export const mayClose: PermitRule = ({ s, policy, now, gates }) =>
  onChange([
    ...(endsEarly(s, now) ? lackingIn(gates.definition_agrees) : gatesBefore(gates, "close")),
    ...closeReasons(s, policy, now),
    ...when(s.change.startedAt === null, settled("nothing has begun: withdraw it instead")),
  ]);
