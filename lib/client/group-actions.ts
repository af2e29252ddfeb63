/** One action on one thing, as the record says and as the person before the page may use it. */
export type PersonalAction = {
  readonly action: string;
  readonly on: string | null;
  readonly permitted: boolean;
  readonly because: readonly string[];
  readonly people: readonly string[];
  readonly by: readonly string[];
  /** Why it is not this person's, in the words of the API; null: it is. */
  readonly notYours: string | null;
};

/** A row of the list: one action with everything it is open for, or closed for, with one reason. */
export type ActionRow = {
  readonly key: string;
  readonly action: string;
  readonly ons: readonly (string | null)[];
  readonly people: readonly string[];
  readonly by: readonly string[];
  readonly because: readonly string[];
};
type ActionRows = {
  /** Yours, now. */ readonly open: readonly ActionRow[];
  /** Open, but for somebody else; `because` says why not you. */ readonly others: readonly ActionRow[];
  readonly closed: readonly ActionRow[];
};

/** Things with the same answer share a row; nothing is left out. The action that is next comes first. */
export function groupActions(actions: readonly PersonalAction[], next: string | null): ActionRows {
  const first = (rows: readonly ActionRow[]) => [
    ...rows.filter((row) => row.action === next),
    ...rows.filter((row) => row.action !== next),
  ];
  return {
    open: first(rowsOf(actions.filter((one) => one.permitted && one.notYours === null).map((one) => ({ ...one, because: [] })))),
    others: first(
      rowsOf(actions.filter((one) => one.permitted && one.notYours !== null).map((one) => ({ ...one, because: [one.notYours ?? ""] }))),
    ),
    closed: rowsOf(actions.filter((one) => !one.permitted)),
  };
}

function rowsOf(actions: readonly PersonalAction[]): readonly ActionRow[] {
  const rows = new Map<string, ActionRow>();
  for (const { action, on, people, by, because } of actions) {
    const key = [action, ...because].join(" ");
    const row = rows.get(key);
    rows.set(key, row === undefined ? { key, action, ons: [on], people, by, because } : { ...row, ons: [...row.ons, on] });
  }
  return [...rows.values()];
}
