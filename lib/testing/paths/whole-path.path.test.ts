import { afterAll, beforeAll, expect, it } from "vitest";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan, ncclJob } from "@/lib/demo/driver-plan";
import { follow } from "@/lib/demo/follow";
import { recordFabricBaseline, runOverSsh } from "@/lib/demo/record-fabric-baseline";
import { rehearse } from "@/lib/demo/rehearse";
import { expectAllOn, recordRehearsal, startSimulatedSite, type SimulatedSite } from "./simulated-site";
import { EIGHT_NODES } from "./simulated-world";

let site: SimulatedSite;
beforeAll(async () => void (site = await startSimulatedSite({ world: EIGHT_NODES, factor: 6 })));
afterAll(() => site.stop());

const H100 = "h100-8/cx7-8/ubuntu22";

it(
  "a driver change of eight nodes, from its rehearsal to COMPLETED as planned, and the site is as the record says (R7, R9, R12)",
  { timeout: 1_000_000 },
  async () => {
    const { crew } = site;
    const rehearsal = await recordRehearsal(site, "t001,t005,t009");
    await rehearse(site, { id: rehearsal, failing: ["t001"], timeoutMs: 300_000 });
    const rehearsed = await crew["AK"]!.change(rehearsal);
    expect(rehearsed).toMatchObject({ state: "COMPLETED", outcome: "partial" });

    expect(await crew["LT"]!.post("/acceptance-jobs", ncclJob("nccl-h100", H100))).toMatchObject({ status: 201 });
    await recordFabricBaseline({
      owner: crew["LT"]!,
      cluster: "sim-h100",
      class: H100,
      job: "nccl-h100@1",
      nodes: Array.from({ length: 8 }, (_, i) => `gpu00${i + 1}`),
      run: runOverSsh(site.deps, "sim-h100"),
      now: () => site.deps.clock.now(),
    });
    const plan = driverPlan({
      cluster: "sim-h100",
      nodes: "gpu[001-008]",
      from: "570.133.20",
      to: "570.172.08",
      jobs: ["nccl-h100@1"],
      now: await site.deps.clock.now(),
    });
    const made = await crew["AK"]!.post("/changes", plan);
    expect(made).toMatchObject({ status: 201 });
    const id = String(made.body["id"]);
    for (const kind of ["failure", "recovery"])
      await crew["AK"]!.act(id, "link-rehearsal", { rehearsal, kind, reason: "the same commands on the disposable cluster" });
    const end = await follow(id, { crew, by: {}, inputs: CREW_INPUTS, timeoutMs: 600_000, stop: (view) => view.endedAt !== null });
    expect({ state: end.state, outcome: end.outcome, tally: end.tally }).toMatchObject({
      state: "COMPLETED",
      outcome: "as_planned",
      tally: { Accepted: 8 },
    });
    expect(end.obligations).toEqual([]);
    expect(end.findings.filter((one) => one.kind === "second_reading")).toEqual([]);
    await expectAllOn(site, "sim-h100", "570.172.08");
    for (const one of [id, rehearsal])
      expect((await crew["AK"]!.get(`/changes/${one}/audit`)).body).toMatchObject({ intact: true, broken: null });
  },
);
