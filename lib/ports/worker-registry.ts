/** Which worker processes live, and what the dead ones left. All of it in real time (MODEL 5.4). */
export interface WorkerRegistry {
  /** Says that this process lives; the first time before it takes any work, because a worker without a row counts as silent. */
  beat(worker: { readonly id: string; readonly host: string; readonly release: string }): Promise<void>;
  /** A clean end: whatever it left may be taken over at once. */
  stopped(id: string): Promise<void>;
  /**
   * Hands the running work of every worker that has been silent for `silentMs` to `resume`, by queue; one worker at a time does this.
   * Returns how many pieces there were.
   */
  takeOver(silentMs: number, resume: (queue: string, workflowIds: readonly string[]) => Promise<void>): Promise<number>;
}
