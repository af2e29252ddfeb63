import type { Move } from "@/lib/core/change/move";
import { moveBaseline, moveLinkRehearsal, moveLockJob, moveNodeClass, moveReading, moveReport } from "./move-acceptance";
import { moveAskBatch, moveBatch, moveExtraBatch, moveRetryBatch } from "./move-batch";
import {
  moveAskCanaries,
  moveChange,
  moveConfirmedDefinition,
  moveCount,
  moveMessage,
  moveOwner,
  movePostMortem,
  movePreflight,
} from "./move-change";
import { moveCheck, moveCheckAgain, moveCheckDue, moveJudge } from "./move-judging";
import { moveAnswerOffer, moveCommandDone, moveDecision, moveOffer, moveWindow } from "./move-person";
import { moveRevision } from "./move-revision";
import {
  moveAcceptFinding,
  moveCloseFinding,
  moveFinding,
  moveHold,
  moveLift,
  moveObligation,
  moveReleaseHold,
  moveSettle,
} from "./move-stop";
import { moveDeadline, moveInvestigator, movePrior, moveReleasedTo, moveRole, moveSaved, moveTarget } from "./move-target";
import type { Apply, Writing } from "./writing";

/** Complete by type: a move that core learns and the store does not breaks the build. */
const APPLY: { readonly [Kind in Move["move"]]: Apply<Kind> } = {
  target: moveTarget,
  extra_batch: moveExtraBatch,
  lift: moveLift,
  settle: moveSettle,
  batch: moveBatch,
  change: moveChange,
  hold: moveHold,
  count: moveCount,
  judge: moveJudge,
  finding: moveFinding,
  check: moveCheck,
  check_due: moveCheckDue,
  ask_batch: moveAskBatch,
  ask_canaries: moveAskCanaries,
  obligation: moveObligation,
  preflight: movePreflight,
  report: moveReport,
  baseline: moveBaseline,
  saved: moveSaved,
  prior: movePrior,
  close_finding: moveCloseFinding,
  message: moveMessage,
  decision: moveDecision,
  revision: moveRevision,
  lock_job: moveLockJob,
  window: moveWindow,
  release_hold: moveReleaseHold,
  accept_finding: moveAcceptFinding,
  link_rehearsal: moveLinkRehearsal,
  reading: moveReading,
  offer: moveOffer,
  answer_offer: moveAnswerOffer,
  owner: moveOwner,
  investigator: moveInvestigator,
  released_to: moveReleasedTo,
  node_class: moveNodeClass,
  retry_batch: moveRetryBatch,
  deadline: moveDeadline,
  check_again: moveCheckAgain,
  command_done: moveCommandDone,
  role: moveRole,
  post_mortem: movePostMortem,
  confirmed_definition: moveConfirmedDefinition,
};

export async function applyMove<Kind extends Move["move"]>(w: Writing, move: Extract<Move, { readonly move: Kind }>): Promise<void> {
  const apply = APPLY[move.move as Kind] as unknown as Apply<Kind>;
  await apply(w, move as never);
}
