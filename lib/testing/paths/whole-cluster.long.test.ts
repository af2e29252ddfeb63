import { afterAll, beforeAll, expect, it } from "vitest";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan, ncclJob } from "@/lib/demo/driver-plan";
import { follow } from "@/lib/demo/follow";
import { recordFabricBaseline, runOverSsh } from "@/lib/demo/record-fabric-baseline";
import { rehearse } from "@/lib/demo/rehearse";
import { expectAllOn, recordRehearsal, startSimulatedSite, type SimulatedSite } from "./simulated-site";
import { WHOLE_CLUSTER } from "./simulated-world";

let site: SimulatedSite;
beforeAll(async () => void (site = await startSimulatedSite({ world: WHOLE_CLUSTER, factor: 6 })));
afterAll(() => site.stop());

it(
  "128 nodes of two classes go on by themselves after the sign-offs, paused and resumed once by hand (R7)",
  { timeout: 1_200_000 },
  async () => {
    const { crew } = site;
    const ak = crew["AK"]!;
    const rehearsal = await recordRehearsal(site, "t001,t005,t009,t013");
    await rehearse(site, { id: rehearsal, failing: ["t001", "t013"], timeoutMs: 400_000 });
    for (const [name, label] of [
      ["nccl-h100", "h100-8/cx7-8/ubuntu22"],
      ["nccl-a100", "a100-8/cx6-8/ubuntu22"],
    ] as const)
      expect(await crew["LT"]!.post("/acceptance-jobs", ncclJob(name, label))).toMatchObject({ status: 201 });
    await recordFabricBaseline({
      owner: crew["LT"]!,
      cluster: "sim-h100",
      class: "h100-8/cx7-8/ubuntu22",
      job: "nccl-h100@1",
      nodes: Array.from({ length: 16 }, (_, i) => `gpu${String(i + 1).padStart(3, "0")}`),
      run: runOverSsh(site.deps, "sim-h100"),
      now: () => site.deps.clock.now(),
    });
    const plan = driverPlan({
      cluster: "sim-h100",
      nodes: "gpu[001-128]",
      from: "570.133.20",
      to: "570.172.08",
      jobs: ["nccl-h100@1", "nccl-a100@1"],
      batchSize: 16,
      advance: "auto",
      now: await site.deps.clock.now(),
    });
    const made = await ak.post("/changes", plan);
    expect(made).toMatchObject({ status: 201 });
    const id = String(made.body["id"]);
    for (const kind of ["failure", "recovery"])
      await ak.act(id, "link-rehearsal", { rehearsal, kind, reason: "the same commands on the disposable cluster" });
    let paused: Promise<unknown> | null = null;
    let held = false;
    const end = await follow(id, {
      crew,
      by: {},
      inputs: CREW_INPUTS,
      timeoutMs: 700_000,
      stop: (view) => {
        if (view.batches.some((batch) => batch.state === "succeeded"))
          paused ??= ak.post(`/changes/${id}/actions/pause`, { reason: "a look" });
        held ||= view.holds.some((hold) => hold.kind === "person");
        return view.endedAt !== null;
      },
    });
    expect(await paused).toMatchObject({ status: 200 });
    expect(held).toBe(true);
    expect(end).toMatchObject({ state: "COMPLETED", outcome: "as_planned", tally: { Accepted: 128 }, obligations: [] });
    const started = end.decisions.map((decision) => decision.kind);
    expect(started.filter((kind) => kind === "sign_off")).toHaveLength(2);
    await expectAllOn(site, "sim-h100", "570.172.08");
    expect((await ak.get(`/changes/${id}/audit`)).body).toMatchObject({ intact: true, broken: null });
  },
);
