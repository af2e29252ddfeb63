import { describe, expect, it } from "vitest";

import { advance } from "./apply";
import { TestWorld } from "./test-world";

describe("drain and resume", () => {
  it("a drain overwrites another one's reason, user and time", () => {
    const world = new TestWorld();
    world.does({ type: "drain", node: "n1", reason: "DIMM", user: "hweiss" });
    world.passes(10).does({ type: "drain", node: "n1", reason: "ours" });
    expect(world.node().reason).toEqual({ text: "ours", user: "root", at: world.now });
  });

  it("a drained node keeps its job and gets no other", () => {
    const world = new TestWorld();
    const first = world.userJob(["n1"], 60);
    world.does({ type: "drain", node: "n1", reason: "ours" });
    const second = world.userJob(["n1"], 60);
    expect(world.passes(1).job(first).state).toBe("RUNNING");
    expect(world.job(second)).toMatchObject({ state: "PENDING", pendingReason: { text: "ReqNodeNotAvail, UnavailableNodes:n1" } });
    expect(world.passes(60).job(first).state).toBe("COMPLETING");
    expect(world.passes(6).job(first).state).toBe("COMPLETED");
    expect(world.job(second).state).toBe("PENDING");
  });

  it("a node that is resumed too early is used by whoever waits, as soon as it responds (R9.3)", () => {
    const world = new TestWorld();
    world.does({ type: "drain", node: "n1", reason: "ours" });
    const waiting = world.userJob(["n1"], 60);
    expect(world.passes(5).does({ type: "resume", node: "n1" }).refused).toBeNull();
    expect(world.job(waiting).state).toBe("PENDING");
    expect(world.passes(1).job(waiting).state).toBe("RUNNING");
  });

  it("refuses to resume what is in service, and knows no strange node", () => {
    const world = new TestWorld();
    expect(world.does({ type: "resume", node: "n1" }).refused?.text).toBe("Invalid node state specified");
    expect(world.does({ type: "drain", node: "n9", reason: "x" }).refused?.text).toBe("Invalid node name specified");
  });

  it("drain-stuck keeps the epilog from ending until it is cleared", () => {
    const world = new TestWorld();
    const job = world.userJob(["n1"], 60);
    world.fault("drain-stuck");
    expect(world.passes(10_000).job(job).state).toBe("COMPLETING");
    world.does({ type: "clear-fault", node: "n1", kind: "drain-stuck" });
    expect(world.passes(0.1).job(job).state).toBe("COMPLETED");
  });
});

describe("reboot (measured on 22.05)", () => {
  const order = { type: "order-reboot", node: "n1", asap: false, nextState: null, reason: null } as const;

  it("keeps a drain, appends to its reason, changes the boot id, activates what was installed", () => {
    const world = new TestWorld();
    const before = world.node().bootId;
    world.does({ type: "drain", node: "n1", reason: "clearance:c/n1" });
    world.does({ type: "begin-update", node: "n1", part: "driver", version: "570.172.08" });
    world.passes(50).does({ type: "end-update", node: "n1", succeeded: true });
    expect(world.node().versions.driver).toEqual({ running: "570.133.20", installed: "570.172.08" });
    world.does(order);
    expect(world.node()).toMatchObject({ power: { on: true }, rebootOrder: { phase: "requested" }, reason: { text: "clearance:c/n1" } });
    expect(world.passes(1).node()).toMatchObject({
      power: { on: false },
      rebootOrder: { phase: "issued" },
      reason: { text: "clearance:c/n1 : reboot issued" },
    });
    world.passes(100);
    expect(world.node()).toMatchObject({
      power: { on: true },
      drained: true,
      rebootOrder: null,
      bootedAt: world.now,
      reason: { text: "clearance:c/n1 : reboot issued" },
    });
    expect(world.node().bootId).not.toBe(before);
    expect(world.node().versions.driver).toEqual({ running: "570.172.08", installed: "570.172.08" });
    world.does(order);
    expect(world.passes(1).node().reason?.text).toBe("reboot issued");
  });

  it("ASAP and nextstate=RESUME end in service, whoever had drained the node", () => {
    const world = new TestWorld();
    world.does({ type: "drain", node: "n1", reason: "DIMM", user: "hweiss" });
    world.does({ ...order, asap: true });
    expect(world.passes(1).passes(100).node()).toMatchObject({ drained: false, down: false, reason: null });
  });

  it("waits for the node's job", () => {
    const world = new TestWorld();
    world.userJob(["n1"], 60);
    world.does(order);
    expect(world.passes(30).node().rebootOrder?.phase).toBe("requested");
    expect(world.passes(30).passes(6).node().rebootOrder?.phase).toBe("issued");
  });

  it("a node that does not return is DOWN after ResumeTimeout, and boots when the fault is cleared", () => {
    const world = new TestWorld();
    world.fault("reboot-never-returns");
    world.does({ type: "drain", node: "n1", reason: "ours" });
    world.does(order);
    expect(world.passes(1).passes(899).node().down).toBe(false);
    expect(world.passes(1).node()).toMatchObject({ down: true, reason: { text: "ours : reboot issued : reboot timed out" } });
    world.does({ type: "clear-fault", node: "n1", kind: null });
    expect(world.passes(1).passes(100).node()).toMatchObject({ power: { on: true }, down: false, drained: true });
  });

  it("driver-old: the update says done, the old driver comes back", () => {
    const world = new TestWorld();
    world.fault("driver-old");
    world.does({ type: "begin-update", node: "n1", part: "driver", version: "570.172.08" });
    expect(world.does({ type: "begin-update", node: "n1", part: "driver", version: "570.172.08" }).refused).not.toBeNull();
    world.does({ type: "end-update", node: "n1", succeeded: true });
    world.does({ type: "power-cycle", node: "n1" });
    expect(world.passes(100).node().versions.driver.running).toBe("570.133.20");
  });

  it("a power cycle kills scripts (NODE_FAIL), requeues users' jobs, and is DOWN only if it lasts", () => {
    const world = new TestWorld();
    const script = world.does({
      type: "submit",
      job: { name: "s", user: "u", nodeCount: 1, required: ["n1"], limitS: 600, runS: null, script: "#!/bin/sh\n" },
    });
    const other = world.userJob(["n2"], 600);
    world.does({ type: "power-cycle", node: "n1" });
    world.does({ type: "power-cycle", node: "n2" });
    expect(world.passes(6).job(script.value ?? "")).toMatchObject({ state: "NODE_FAIL" });
    expect(world.job(other)).toMatchObject({ state: "PENDING", restarts: 1 });
    expect(world.passes(100).node()).toMatchObject({ power: { on: true }, down: false });
    world.fault("node-down", {}, "n3");
    expect(world.passes(299).node("n3").down).toBe(false);
    expect(world.passes(1).node("n3")).toMatchObject({ down: true, reason: { text: "Not responding" } });
  });
});

describe("reservations (R3.6)", () => {
  const inside = (reservation: string, user = "clearance") => ({
    name: "a",
    user,
    nodeCount: 1,
    required: ["n1"],
    reservation,
    limitS: 600,
    runS: 60,
  });

  it("keep foreign jobs out and let their own in, while the node is in service", () => {
    const world = new TestWorld();
    expect(world.reserve("r").refused).toBeNull();
    const foreign = world.userJob(["n1"], 60);
    const own = world.does({ type: "submit", job: inside("r") }).value ?? "";
    expect(world.passes(1).job(own).state).toBe("RUNNING");
    expect(world.job(foreign)).toMatchObject({
      state: "PENDING",
      pendingReason: { text: "ReqNodeNotAvail, May be reserved for other job" },
    });
    expect(world.does({ type: "unreserve", name: "r" }).refused?.text).toBe("Requested reservation is in use");
    world.passes(60);
    expect(world.does({ type: "unreserve", name: "r" }).refused?.text).toBe("Requested reservation is in use");
    world.passes(6);
    expect(world.does({ type: "unreserve", name: "r" }).refused).toBeNull();
    expect(world.passes(0.1).job(foreign).state).toBe("RUNNING");
  });

  it("free their nodes when they expire", () => {
    const world = new TestWorld();
    world.reserve("r");
    const foreign = world.userJob(["n1"], 60);
    expect(world.passes(3599).job(foreign).state).toBe("PENDING");
    expect(world.passes(1).job(foreign).state).toBe("RUNNING");
    expect(world.state.reservations).toEqual({});
  });

  it("a job that would run into a reservation to come does not start", () => {
    const world = new TestWorld();
    world.reserve("r", { startAt: world.now + 100, endAt: world.now + 200 });
    expect(world.job(world.userJob(["n1"], 60)).state).toBe("PENDING");
    expect(world.job(world.userJob(["n1"], 40)).state).toBe("PENDING");
    expect(world.passes(1).state.jobs["c/1002"]?.state).toBe("RUNNING");
  });

  it.each([
    ["a name twice", { name: "r" }, "Duplicate reservation name"],
    ["a strange node", { name: "q", nodes: ["n9"] }, "Invalid node name specified"],
    ["a strange user", { name: "q", users: ["nobody-here"] }, "Invalid user id"],
    ["a busy node without IGNORE_JOBS", { name: "q", nodes: ["n2"], flags: ["MAINT"] }, "Requested nodes are busy"],
  ])("refuse %s", (_, more, text) => {
    const world = new TestWorld();
    world.userJob(["n2"], 600);
    world.passes(1).reserve("r");
    expect(world.reserve(String(more.name), more).refused?.text).toBe(text);
  });

  it("admit only their users and accounts", () => {
    const world = new TestWorld();
    world.reserve("r");
    expect(world.does({ type: "submit", job: inside("r", "tkim") }).refused?.text).toBe("Access denied to requested reservation");
    expect(world.does({ type: "submit", job: inside("s") }).refused?.text).toBe("Requested reservation is invalid");
  });

  it("reservation-refused answers with the site's words", () => {
    const world = new TestWorld();
    world.fault("reservation-refused", { message: "no" });
    expect(world.reserve("r").refused?.text).toBe("no");
  });
});

describe("jobs", () => {
  it("job-requeued: a script starts, goes back to the queue once and runs then (S3)", () => {
    const world = new TestWorld();
    world.fault("job-requeued");
    const id =
      world.does({
        type: "submit",
        job: { name: "s", user: "u", nodeCount: 1, required: ["n1"], limitS: 600, runS: null, script: "#!/bin/sh\n" },
      }).value ?? "";
    expect(world.passes(1).job(id)).toMatchObject({ state: "PENDING", restarts: 1, pendingReason: { word: "BeginTime" } });
    expect(world.passes(5).job(id)).toMatchObject({ state: "RUNNING", restarts: 1 });
  });

  it("end at their limit, stay listed for MinJobAge and are then forgotten", () => {
    const world = new TestWorld();
    const id =
      world.does({ type: "submit", job: { name: "s", user: "u", nodeCount: 1, required: [], limitS: 30, runS: null } }).value ?? "";
    expect(world.passes(1).passes(30).passes(6).job(id)).toMatchObject({ state: "TIMEOUT", signal: 15 });
    expect(() => world.passes(700).job(id)).toThrow();
  });
});

it("nothing due: the same value comes back", () => {
  const world = new TestWorld();
  world.userJob(["n1"], 60);
  world.passes(1);
  expect(advance(world.state, world.now + 1)).toBe(world.state);
});

it("a new node belongs to the cluster, a vanished one does not", () => {
  const world = new TestWorld();
  world.fault("new-node", { like: "n1" }, "n5");
  expect(world.job(world.userJob(["n5"], 60)).state).toBe("PENDING");
  expect(world.passes(1).state.nodes["c/n5"]?.drained).toBe(false);
  world.fault("node-vanishes", {}, "n5");
  expect(world.state.nodes["c/n5"]).toBeUndefined();
});
