import type { NodeJob } from "@/lib/core/node/service";
import type { PersonId } from "@/lib/core/kernel/ids";
import { durationText } from "@/lib/core/kernel/duration-text";
import { assertNever } from "@/lib/core/kernel/result";
import { UNKNOWN_WORDS } from "./unknown-words";
import type { Reason } from "./reason";
import { GATE_WORDS, HOLD_WORDS, POST_WORDS, ROLE_WORDS, STATE_WORDS } from "./words";

/** Who the ids are; unknown ids stand as they are. */
export type Names = { readonly person: (id: PersonId) => string };

/** A reason in words: names the thing and the next step. The only renderer, so page, API, CLI and worker say the same. */
export function sentence(reason: Reason, names: Names): string {
  switch (reason.code) {
    case "gate_open":
      return `${capital(GATE_WORDS[reason.gate])} is not done: ${ended(reason.because)}`;
    case "check_unresolved":
      return `Check "${reason.name}" on ${reason.on} is unresolved: ${ended(reason.because)} Get the evidence, waive it, or decide on ${reason.on}.`;
    case "check_failed":
      return `Check "${reason.name}" on ${reason.on} failed: ${ended(reason.because)} A failure cannot be waived.`;
    case "held":
      return `Held by ${names.person(reason.ownerId)}, ${HOLD_WORDS[reason.kind]}: ${ended(reason.because)}`;
    case "batch_undecided":
      return `Batch ${reason.batch} is undecided: decide on its nodes first.`;
    case "batch_delay":
      return `The delay between batches runs until ${utc(reason.until)}: ${ended(reason.because)}`;
    case "notice":
      return `The notice runs until ${utc(reason.until)}: ${ended(reason.because)}`;
    case "spacing":
      return `Too soon after the last maintenance, allowed from ${utc(reason.until)}: ${ended(reason.because)}`;
    case "freeze":
      return `A freeze lasts until ${utc(reason.until)}: ${ended(reason.because)}`;
    case "window_closed":
      return reason.opensAt === null
        ? "No booked window is open and none is coming: book one."
        : `The next booked window opens at ${utc(reason.opensAt)}.`;
    case "window_too_short":
      return `${durationText(reason.leftMs)} of the window are left and ${durationText(reason.needMs)} are needed: book a longer window.`;
    case "no_room":
      return reason.limit === "own"
        ? `No room: this change may have ${reason.allowed} ${reason.unit} out, taken by ${list(reason.takenBy)}.`
        : `No room: ${reason.allowed} ${reason.unit} of the cluster may be out, taken by ${list(reason.takenBy)}.`;
    case "other_change":
      return `Change ${reason.changeId} has ${reason.on} in hand: wait for it or put it on hold.`;
    case "first_of_scale_set":
      return `${reason.first} is the first of scale set ${reason.scaleSet} and has to be read back before the others.`;
    case "settling":
      return `Check "${reason.name}" on ${reason.on} waits for its evidence until ${utc(reason.until)}.`;
    case "preflight_old":
      return `Preflight passed at ${utc(reason.passedAt)}: ${ended(reason.because)} Run it again.`;
    case "finding_open":
      return `Finding on ${reason.on} is open: ${ended(reason.because)} ${capital(acceptor(reason.acceptedBy))}`;
    case "obligation":
      return `Still ours out there: ${reason.kind.replaceAll("_", " ")} on ${reason.on}. Settle it or hand it over.`;
    case "committed":
      return `Committed since ${utc(reason.since)}, three batches in a row succeeded: going back for everybody is a new change.`;
    case "not_waivable":
      return `Check "${reason.name}" cannot be waived: ${ended(reason.because)}`;
    case "reads_first":
      return `${names.person(reason.personId)} is the reader of this record and reads before signing: record the second reading first.`;
    case "foreign_drain":
      return `${reason.on} was drained by somebody else ("${reason.text}") and is left alone.`;
    case "jobs_running":
      return `${reason.jobs.length} ${reason.jobs.length === 1 ? "job runs" : "jobs run"} on ${reason.on} (${jobTexts(reason.jobs)}): wait, ask the user to checkpoint, defer the node or withdraw it.`;
    case "budget":
      return `Budget ${reason.budget} allows ${reason.allowed} of ${reason.needed} evictions on ${reason.on}.`;
    case "command_running":
      return `Command ${reason.key} runs since ${utc(reason.since)}.`;
    case "unknown":
      return `${capital(reason.field.replaceAll("_", " "))} of ${reason.on} is unknown: ${UNKNOWN_WORDS[reason.unknown]}.`;
    case "own_work":
      return reason.did === "wrote"
        ? `${names.person(reason.personId)} wrote the plan and cannot approve, sign or waive it: somebody else has to.`
        : `${names.person(reason.personId)} issued commands of this change and cannot approve, sign or waive it: somebody else has to.`;
    case "role":
      return `Only ${ROLE_WORDS[reason.needs]} may do this.`;
    case "post":
      return reason.people.length === 0
        ? `Only ${POST_WORDS[reason.needs]} may do this, and nobody is named.`
        : `Only ${POST_WORDS[reason.needs]} may do this: ${list(reason.people.map(names.person))}.`;
    case "void":
      return `What was signed no longer counts: the ${reason.what} changed since (${reason.signedFor.slice(0, 12)} was signed, ${reason.now.slice(0, 12)} stands now).`;
    case "waiting_for_person":
      return `Waits for ${reason.who.length === 0 ? "a person" : list(reason.who.map(names.person))}: ${reason.action.replaceAll("-", " ")}.`;
    case "state":
      return `The change is ${STATE_WORDS[reason.state]}: ${ended(reason.because)}`;
    case "not_yet":
      return `${ended(capital(reason.what))} ${ended(capital(reason.next))}`;
    case "settled":
      return ended(capital(reason.what));
    case "decision_ended":
      return `The ${reason.kind.replaceAll("_", " ")} ${reason.how === "revoked" ? "was revoked" : `expired${reason.at === null ? "" : ` at ${utc(reason.at)}`}`}: a new one is needed.`;
    case "stopped":
      return `${names.person(reason.byId)} decided to ${reason.choice === "stop" ? "stop here" : "roll everything back"}: nothing more starts, close the change.`;
    case "widens":
      return `Refused, it would loosen what was approved: ${ended(reason.what)} ${ended(capital(reason.next))}`;
    default:
      return assertNever(reason);
  }
}

const utc = (when: Date): string => `${when.toISOString().slice(0, 16).replace("T", " ")} UTC`;
/** A name keeps its own letters: "gpu005 is out" stays as it is. */
const capital = (text: string): string => (/^[a-z]+(?=[\s,.:;!?]|$)/.test(text) ? text.slice(0, 1).toUpperCase() + text.slice(1) : text);
const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
const acceptor = (role: string): string =>
  role === ""
    ? "it closes when its cause is gone."
    : role === "nobody"
      ? "nobody can accept it: change the plan."
      : `${role.replaceAll("_", " ")} has to accept it.`;

/** Up to six names in full, then how many more. */
function list(names: readonly string[]): string {
  if (names.length === 0) return "nobody";
  return names.length <= 6 ? names.join(", ") : `${names.slice(0, 6).join(", ")} and ${names.length - 6} more`;
}

const jobTexts = (jobs: readonly NodeJob[]): string =>
  jobs.length <= 6 ? jobs.map(jobText).join("; ") : `${jobs.slice(0, 6).map(jobText).join("; ")} and ${jobs.length - 6} more`;
const jobText = ({ id, user, endsAt }: NodeJob): string =>
  `${id} of ${user} ${endsAt === "no_limit" ? "without a time limit" : `until ${utc(endsAt)} at most`}`;
