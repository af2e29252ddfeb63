/** A change was made, or its record has moved on to this version. */
export type ChangeNews = { readonly change: string; readonly cluster: string; readonly version: number };

/** News of every change, as they are written by whichever process. What is missed while nobody listens is not told later: look at the record. */
export type ChangeFeed = {
  /**
   * From now on `onNews` is called for each written version. `onLost` is called once when the record can no longer tell (connection lost, feed
   * closed); after it nothing comes any more, and whoever wants to go on subscribes again. Rejects when the record cannot be reached.
   */
  readonly subscribe: (listener: { readonly onNews: (news: ChangeNews) => void; readonly onLost: () => void }) => Promise<() => void>;
  readonly close: () => Promise<void>;
};
