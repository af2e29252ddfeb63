/** The one clock: the database's time, passed through the row `clock`. Deadlines, freshness and windows use nothing else. */
export interface Clock {
  now(): Promise<Date>;
  /** Shown seconds per real second; 1 outside the demo. */
  factor(): Promise<number>;
}
