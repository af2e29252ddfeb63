import { afterAll, beforeAll, expect, it } from "vitest";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan } from "@/lib/demo/driver-plan";
import { follow } from "@/lib/demo/follow";
import { startSimulatedSite, type SimulatedSite } from "./simulated-site";
import { disposableClusters } from "./simulated-world";

const WORLD = disposableClusters({
  busy: {
    unavailable: [{ nodes: "n001", state: "drain", reason: "DIMM replacement, ticket 123", user: "hweiss" }],
    jobs: [{ user: "mchen", name: "llm-pretrain", nodes: "n003", limitMinutes: 1800, leftMinutes: 1800 }],
  },
});

const handOver = () => ({ reason: "goes to the hardware team", owner: "DV", ticket: "HW-1" });

let site: SimulatedSite;
beforeAll(async () => void (site = await startSimulatedSite({ world: WORLD, factor: 6 })));
afterAll(() => site.stop());

it(
  "somebody else's drain stays theirs, a job of 30 h is not killed, and a drain of ours keeps the change open (S6, cases 19 and 30)",
  {
    timeout: 600_000,
  },
  async () => {
    const { crew, deps } = site;
    const ak = crew["AK"]!;
    const plan = driverPlan({
      cluster: "busy",
      nodes: "n001,n003,n005,n007",
      from: "570.133.20",
      to: "570.172.08",
      jobs: [],
      batchSize: 4,
      canaries: "{perClass: 0}",
      drainDeadline: "2m",
      windowHours: 6,
      now: await deps.clock.now(),
    });
    const made = await ak.post("/changes", plan);
    expect(made).toMatchObject({ status: 201 });
    const id = String(made.body["id"]);
    const walk = {
      crew,
      by: {},
      inputs: { ...CREW_INPUTS, "release-node": handOver, "decide-drain": () => ({ reason: "the run goes on", choice: "defer" }) },
      timeoutMs: 400_000,
    };
    let changed = false;
    const waiting = await follow(id, {
      ...walk,
      stop: (view) => {
        if (!changed && view.targets.some((target) => target.name === "n007" && ["updating", "rebooting"].includes(target.step))) {
          changed = true;
          void site.fault({
            cluster: "busy",
            node: "n007",
            fault: "foreign-reason-change",
            reason: "fan noise, ticket 200",
            user: "hweiss",
          });
        }
        return view.nextAction.action === "decide-drain" && view.nextAction.on === "n003";
      },
    });

    const busy = waiting.targets.find((target) => target.name === "n003")!;
    const job = (await site.world()).jobs.find((one) => one.user === "mchen")!;
    expect(busy.waits.join(" ")).toMatch(new RegExp(`\\b${job.id}\\b.*mchen`));
    const open = (action: string) => waiting.actions.some((one) => one.action === action && one.on === "n003" && one.permitted);
    expect(["decide-drain", "ask-checkpoint", "defer-node", "withdraw-node"].filter((action) => !open(action))).toEqual([]);
    expect(waiting.obligations).toContainEqual(expect.objectContaining({ kind: "drain", on: "n003" }));
    const close = await ak.post(`/changes/${id}/actions/close`, { reason: "done" });
    expect(close.status).toBe(422);

    const end = await follow(id, { ...walk, stop: (view) => view.endedAt !== null });
    expect(end).toMatchObject({ state: "DEGRADED", tally: { Accepted: 1, Withheld: 1, Deferred: 1, Released: 1 } });
    expect(end.targets.find((target) => target.name === "n007")).toMatchObject({ outcome: "Released", ticket: "HW-1" });
    const { nodes, journal, jobs } = await site.world();
    const node = (name: string) => nodes.find((one) => one.name === name)!;
    expect(node("n001")).toMatchObject({
      reason: "DIMM replacement, ticket 123",
      flags: expect.arrayContaining(["DRAIN"]),
      driver: { installed: "570.133.20", running: "570.133.20" },
    });
    expect(end.targets.find((target) => target.name === "n001")).toMatchObject({ outcome: "Withheld" });
    expect(journal.filter((deed) => deed.node === "n001")).toEqual([]);
    expect(end.targets.find((target) => target.name === "n003")).toMatchObject({ outcome: "Deferred" });
    expect(jobs.find((one) => one.id === job.id)).toMatchObject({ state: "RUNNING" });
    expect(journal.filter((deed) => deed.what === "cancel")).toEqual([]);
    expect(node("n003").flags).not.toContain("DRAIN");
    expect(node("n007").reason).toContain("fan noise, ticket 200");
    expect(node("n007").flags).toContain("DRAIN");
  },
);
