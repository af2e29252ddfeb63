import { lastWords, startNode, stopChild, type Child, type ChildSpec } from "./child-process";

const STEADY_MS = 60_000;
const LONGEST_WAIT_MS = 30_000;
/** Ends in a row, each before it ran steadily, after which starting it again is pointless. */
const GIVE_UP_AFTER = 5;

/** A part of Clearance that is started again when it dies. */
export type Supervised = { readonly stop: (patienceMs: number) => Promise<void>; readonly pid: () => number };

/**
 * Keeps one child running: started again at once, then after 1, 2, 4 ... 30 s; a minute of steady running forgets the past. When it does not stay
 * up, `onGivenUp` gets one sentence.
 */
export function supervise(
  spec: ChildSpec,
  told: { readonly onRestart: (text: string) => void; readonly onGivenUp: (text: string) => void },
): Supervised {
  let stopping = false;
  let wake: () => void = () => undefined;
  let current: Child = startNode(spec);
  const running = keep();
  return {
    pid: () => current.pid,
    stop: async (patienceMs) => {
      stopping = true;
      wake();
      await stopChild(current, patienceMs);
      await running;
    },
  };

  async function keep(): Promise<void> {
    for (let failures = 0; ;) {
      const begun = performance.now();
      const { code, signal } = await current.ended;
      if (stopping) return;
      failures = performance.now() - begun > STEADY_MS ? 1 : failures + 1;
      const how = signal === null ? `code ${code}` : signal;
      if (failures >= GIVE_UP_AFTER) {
        return told.onGivenUp(
          `The ${spec.name} does not stay up (${how}, ${failures} times): ${lastWords(spec.logFile)} (log: ${spec.logFile})`,
        );
      }
      const waitMs = failures === 1 ? 0 : Math.min(LONGEST_WAIT_MS, 1000 * 2 ** (failures - 2));
      told.onRestart(`The ${spec.name} ended (${how}); starting it again${waitMs === 0 ? "" : ` in ${waitMs / 1000} s`}.`);
      await pause(waitMs);
      if (stopping) return;
      current = startNode(spec);
    }
  }

  function pause(ms: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, ms);
      wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}
