/** What a form shows after it was sent: the words of the refusal beside it, and what was typed, so that nothing has to be typed twice. */
export type FormState = {
  readonly is: "idle" | "done" | "refused";
  readonly because: string;
  /** Where in the input, one line each. */
  readonly places: readonly string[];
  /** Made just now and shown this once. */ readonly shown?: string;
  readonly typed: Readonly<Record<string, readonly string[]>>;
  /** Counts the answers: a form is drawn anew with what was typed. */
  readonly answers: number;
};

export const UNSENT: FormState = { is: "idle", because: "", places: [], typed: {}, answers: 0 };

/** A server action as a form calls it. */
export type FormAction = (before: FormState, form: FormData) => Promise<FormState>;

/** What was typed into one field. */
export const typedIn = (state: FormState, name: string): string | undefined => state.typed[name]?.[0];
