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

/** Steps on the way of a change, and answers that it waits for. They stand in the list; everything else that may be done folds, with its names and reasons. */
const ON_THE_WAY = new Set([
  ...[
    "lock-job",
    "link-rehearsal",
    "approve-plan",
    "accept-finding",
    "run-preflight",
    "start-canary",
    "judge",
    "sign-off",
    "reject-canary",
  ],
  ...[
    "record-reading",
    "start-batch",
    "run-check",
    "waive",
    "decide",
    "decide-drain",
    "resume",
    "run-fabric-validation",
    "run-spot-validation",
  ],
  ...["confirm-definition", "accept-ownership", "decline-ownership", "close"],
]);
export const isOnTheWay = ({ action }: Pick<ActionRow, "action">): boolean => ON_THE_WAY.has(action);

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
