import { afterAll, beforeAll, expect, it } from "vitest";
import type { ChangeId } from "@/lib/core/kernel/ids";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan } from "@/lib/demo/driver-plan";
import { follow } from "@/lib/demo/follow";
import { startSimulatedSite, type SimulatedSite } from "./simulated-site";
import { EIGHT_NODES } from "./simulated-world";

let site: SimulatedSite;
beforeAll(async () => void (site = await startSimulatedSite({ world: EIGHT_NODES, factor: 6 })));
afterAll(() => site.stop());

/** One node of each of the four leaves makes a batch of four; the third of them says no under the new driver, and only there. */
const THIRD = "t009";
const SITE_CHECK = `sh -c 'cat /proc/driver/nvidia/version | grep -q 570.133.20 || test "$(hostname)" != ${THIRD} || { echo "site check: no carrier on ib3"; exit 1; }'`;
const EVERYBODY = ["AK", "LT", "MR", "JS", "RB", "AD", "VW"];

it("a test that fails on purpose stops the rollout, is kept, and only a decision goes on (S4)", { timeout: 600_000 }, async () => {
  const { crew, deps } = site;
  const ak = crew["AK"]!;
  const plan = driverPlan({
    cluster: "sim-test",
    nodes: "t001,t002,t005,t006,t009,t010,t013,t014",
    from: "570.133.20",
    to: "570.172.08",
    jobs: [],
    batchSize: 4,
    canaries: "{perClass: 0}",
    alsoValidate: SITE_CHECK,
    now: await deps.clock.now(),
  });
  const made = await ak.post("/changes", plan);
  expect(made).toMatchObject({ status: 201 });
  const id = String(made.body["id"]);
  const states = new Set<string>();
  const walk = { crew, by: {}, inputs: CREW_INPUTS, timeoutMs: 400_000 };
  const failed = await follow(id, {
    ...walk,
    stop: (view) => {
      states.add(view.state);
      return view.nextAction.action === "decide";
    },
  });

  expect(failed.batches[0]).toMatchObject({ number: 1, state: "failed", targets: expect.arrayContaining([THIRD]) });
  const [first, second] = failed.batches.map((batch) => batch.targets);
  expect(first).toHaveLength(4);
  expect(states).toContain("ROLLBACK");
  expect(failed.state).toBe("IN_PROGRESS");
  const outcomes = Object.fromEntries(failed.targets.map((target) => [target.name, target.outcome]));
  expect(outcomes[THIRD]).toBe("Rolled back");
  for (const sibling of first!.filter((name) => name !== THIRD)) expect(outcomes[sibling]).toBe("Accepted");
  for (const name of second!) expect(outcomes[name]).toBe("Not attempted");
  const { journal, nodes } = await site.world();
  expect(journal.filter((deed) => deed.what === "drain" && second!.includes(deed.node ?? ""))).toEqual([]);
  expect(nodes.find((node) => node.name === THIRD)).toMatchObject({
    driver: { installed: "570.133.20", running: "570.133.20" },
    state: "IDLE",
    reason: null,
  });

  const check = failed.checks.find((one) => one.on === THIRD && one.name === "site check" && one.generation === 1);
  expect(check).toMatchObject({ verdict: "fail" });
  const kept = (await deps.store.checkEvidence(id as ChangeId)).get(check!.id) ?? [];
  const texts = await Promise.all(kept.map(async (sha) => new TextDecoder().decode((await deps.store.evidence(sha))?.bytes)));
  expect(texts.join("\n")).toContain("site check: no carrier on ib3");
  const command = failed.commands.find(
    (one) => one.run?.includes("site check") && one.key.includes(`/${THIRD}/`) && one.key.endsWith("/1"),
  );
  expect(command).toMatchObject({ startedAt: expect.any(String), finishedAt: expect.any(String) });

  const told = await site.sql<{ urgency: string; title: string }>(
    "select body ->> 'urgency' as urgency, body ->> 'title' as title from messages where dedup_key like $1 order by 1",
    [`${id}/%failed%`],
  );
  expect(told.map((one) => one.urgency)).toEqual(["message", "page"]);

  for (const name of EVERYBODY) {
    const refused = await crew[name]!.post(`/changes/${id}/actions/resume`, { reason: "go on", on: failed.holds[0]?.id });
    expect([name, refused.status]).toEqual([name, 422]);
    expect(String(refused.body["because"])).not.toBe("");
    expect([name, (await crew[name]!.post(`/changes/${id}/actions/start-batch`, { on: "2" })).status]).toEqual([name, 422]);
  }
  expect(failed.actions.find((one) => one.action === "start-batch" && one.on === "2")?.permitted).toBe(false);

  const end = await follow(id, { ...walk, stop: (view) => view.endedAt !== null });
  expect(end).toMatchObject({ state: "COMPLETED", outcome: "partial", tally: { Accepted: 7, "Rolled back": 1 } });
  expect((await ak.get(`/changes/${id}/audit`)).body).toMatchObject({ intact: true, broken: null });
  expect((await site.world()).reservations).toEqual([]);
});
