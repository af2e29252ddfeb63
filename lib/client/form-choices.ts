type Choice = { readonly id: string; readonly text: string };

/** What the fields of the actions' forms offer to choose from, and what they begin with. */
export type FormChoices = {
  readonly version: number;
  /** node -> the jobs last seen on it, in words. */ readonly jobs: Readonly<Record<string, readonly string[]>>;
  readonly yaml: string;
  readonly timezone: string;
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** Per node class: acceptance jobs that fit, and baselines that are valid. */
  readonly classes: readonly { readonly label: string; readonly jobs: readonly string[]; readonly baselines: readonly Choice[] }[];
  readonly rehearsals: readonly Choice[];
  /** Open findings of the plan, accepted with its approval. */
  readonly findings: readonly Choice[];
  /** report -> what has to be acknowledged when it is signed. */
  readonly warnings: Readonly<Record<string, readonly Choice[]>>;
};
