import { z } from "zod";

/** Answers to the five reading questions (R4.5), chosen, never typed, but for the comment. JSON column `second_readings.answers`. */
export const SecondReadingAnswers = z.strictObject({
  layers: z.record(z.string(), z.enum(["matches", "differs", "unknown", "not_applicable", "cannot_tell"])),
  checks: z.record(z.string(), z.enum(["pass", "fail", "unresolved", "waiting", "not_applicable", "cannot_tell"])),
  acceptedOn: z.enum(["accepted", "not_accepted", "open", "cannot_tell"]),
  nextAction: z.string().max(100),
  decides: z.string().max(100),
  comment: z.string().max(4000),
});
export type SecondReadingAnswers = z.infer<typeof SecondReadingAnswers>;

/** One place where the reader and the record differ, or where the reader could not tell: a work item (R4.5). */
export const SecondReadingDifference = z.strictObject({
  question: z.string(),
  on: z.string(),
  read: z.string(),
  record: z.string(),
  cannotTell: z.boolean(),
});
export type SecondReadingDifference = z.infer<typeof SecondReadingDifference>;

/** The five fixed questions, in the order they are asked. */
const QUESTIONS = {
  layers: "Does each configuration layer agree with the goal?",
  checks: "How did each check end?",
  acceptedOn: "Is the canary accepted, and on what?",
  nextAction: "What is allowed next?",
  decides: "Who decides when something fails?",
} as const;

/** What the record itself says to the same questions. `nextActions` and `deciders`: every answer that is right. */
export type RecordAnswers = {
  readonly layers: Readonly<Record<string, string>>;
  readonly checks: Readonly<Record<string, string>>;
  readonly acceptedOn: string;
  readonly nextActions: readonly string[];
  readonly deciders: readonly string[];
};
const CANNOT_TELL = "cannot_tell";

/** Every difference, every "cannot tell" and every question left out; none: the record can be read without an explanation. */
export function compareAnswers(answers: SecondReadingAnswers, record: RecordAnswers): readonly SecondReadingDifference[] {
  const many = (question: "layers" | "checks"): readonly SecondReadingDifference[] =>
    Object.entries(record[question]).flatMap(([on, truth]) => compare(question, on, answers[question][on], [truth]));
  return [
    ...many("layers"),
    ...many("checks"),
    ...compare("acceptedOn", "the canary", answers.acceptedOn, [record.acceptedOn]),
    ...compare("nextAction", "the change", answers.nextAction, record.nextActions),
    ...compare("decides", "the change", answers.decides, record.deciders),
  ];
}

function compare(
  question: keyof typeof QUESTIONS,
  on: string,
  read: string | undefined,
  right: readonly string[],
): readonly SecondReadingDifference[] {
  if (read !== undefined && right.includes(read)) return [];
  const cannotTell = read === undefined || read === CANNOT_TELL || read === "";
  return [{ question: QUESTIONS[question], on, read: cannotTell ? CANNOT_TELL : read, record: right.join(" or "), cannotTell }];
}
