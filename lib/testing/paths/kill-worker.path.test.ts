import { randomInt } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { startRehearsalSite, type RehearsalSite } from "./rehearsal-site";
import { storyOf, undisturbedStory, type Story } from "./rehearsal-story";

const KILLS = 20;
/** Between two kills at most, from when both workers work, in real milliseconds. */
const LONGEST_LIFE_MS = 3_500;
/** CLEARANCE_KILL_SEED repeats the moments of a run; they still meet other work on another machine. */
const SEED = Number(process.env["CLEARANCE_KILL_SEED"] ?? randomInt(2 ** 31));

let undisturbed: Story;

async function onASite<T>(walk: (site: RehearsalSite) => Promise<T>): Promise<T> {
  const site = await startRehearsalSite();
  try {
    return await walk(site);
  } finally {
    await site.stop();
  }
}

beforeAll(async () => {
  undisturbed = await undisturbedStory();
}, 480_000);

it("an undisturbed rehearsal does each thing once, is recorded whole and leaves nothing behind", () => {
  expect(undisturbed.record["change"]).toEqual([JSON.stringify({ state: "COMPLETED", outcome: "as_planned" })]);
  expect(undisturbed.audit).toEqual({ intact: true, broken: null });
  expect(undisturbed.left).toEqual({ notInService: [], reservations: [], openCommands: 0 });
  expect(new Set(undisturbed.deeds).size).toBe(undisturbed.deeds.length);
  for (const what of ["drain", "exec", "update-begin", "update-end", "reboot", "resume"])
    expect(new Set(undisturbed.deeds.filter((deed) => deed.split(" ")[1] === what).map((deed) => deed.split(" ")[0])).size, what).toBe(8);
});

it(
  `a worker killed at ${KILLS} random moments: each command once, the same record, the audit holds (seed ${SEED})`,
  { timeout: 900_000 },
  async () => {
    process.stderr.write(`kill -9 of the worker: CLEARANCE_KILL_SEED=${SEED}\n`);
    const chance = random(SEED);
    // A rehearsal that is through before the last kill is followed by another one.
    for (let kills = 0; kills < KILLS;) {
      kills += await onASite(async (site) => {
        const killer = killAtRandom(site, chance, KILLS - kills);
        const id = await site.begin();
        await site.walk(id).finally(killer.end);
        const killed = await killer.end();
        expect(await storyOf(site, id), `seed ${SEED}, ${killed} kills`).toEqual(undisturbed);
        return killed;
      });
    }
  },
);

/** Two workers; again and again one of them is killed a random moment after both began to work, and a new one started. */
function killAtRandom(site: RehearsalSite, chance: () => number, most: number): { readonly end: () => Promise<number> } {
  let over = false;
  let wake: () => void = () => undefined;
  const running = (async () => {
    const workers = [site.worker(), site.worker()];
    let killed = 0;
    for (; killed < most; killed += 1) {
      await Promise.all(workers.map((worker) => worker.ready()));
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, chance() * LONGEST_LIFE_MS);
      });
      if (over) return killed;
      const [victim] = workers.splice(chance() < 0.5 ? 0 : 1, 1);
      await victim?.kill("SIGKILL");
      workers.push(site.worker());
    }
    return killed;
  })();
  return {
    end: () => {
      over = true;
      wake();
      return running;
    },
  };
}

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
