/** The running parts in the order in which they are stopped: what asks goes before what is asked. */
const ORDER = ["web", "demo content", "worker", "simulator", "database", "claim"] as const;
type PartName = (typeof ORDER)[number];

/** Keeps what has to be stopped. A part that gets ready after the stop began is stopped at once. */
export class Parts {
  readonly #stops = new Map<PartName, () => Promise<void> | void>();
  #stopping = false;

  async add(name: PartName, stop: () => Promise<void> | void): Promise<void> {
    if (this.#stopping) await stop();
    else this.#stops.set(name, stop);
  }

  async stopAll(): Promise<void> {
    this.#stopping = true;
    for (const name of ORDER) await this.#stops.get(name)?.();
    this.#stops.clear();
  }
}
