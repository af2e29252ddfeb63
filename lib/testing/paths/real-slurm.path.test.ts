import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { requireReal } from "@/lib/testing/lab/require-real";
import { startLabSite, type LabSite } from "./lab-site";
import { startProduct, type Product } from "./product";
import { NEW_DRIVER, OLD_DRIVER, planOnLab, rehearseOnLab, walk } from "./real-path";
import { endOfJob, jobsThatWait, nodeNow, startJob } from "./real-jobs";
import { until } from "@/lib/demo/until";

const real = [requireReal("slurm"), requireReal("prometheus"), requireReal("sshd")].every(Boolean);
const FOREIGN = "DIMM B2 replaced, ticket HW-77";
const NODES = Array.from({ length: 8 }, (_, i) => `gpu00${i + 1}`);
const OURS = NODES.filter((node) => node !== "gpu007");

describe.skipIf(!real)("a driver change on a real Slurm cluster, over the API with six people's tokens", () => {
  let site: LabSite;
  let product: Product;
  let rehearsal: ChangeView;
  let end: ChangeView;
  let training: Readonly<Record<string, string>>;
  let hungry: ReturnType<typeof jobsThatWait>;

  beforeAll(async () => {
    site = await startLabSite();
    product = await startProduct({ env: site.env, tokens: site.tokens });
    const { crew } = product;
    await until(
      "the inventory of both clusters",
      async () => {
        const { nodes } = (await crew["RB"]!.get("/nodes")).body as { nodes?: { leaves: object[] | null }[] };
        return nodes?.filter((node) => node.leaves !== null && node.leaves.length > 0).length === 12 ? true : null;
      },
      { timeoutMs: 60_000, seen: product.said },
    );
    rehearsal = await rehearseOnLab({ site, crew });
    const lab = site.production;
    lab.slurm("scontrol", "update", "nodename=gpu007", "state=drain", `reason=${FOREIGN}`);
    training = { gpu003: startJob(lab, "gpu003", 25), gpu001: startJob(lab, "gpu001", 40) };
    hungry = jobsThatWait(lab);
    const id = await planOnLab({ site, crew }, rehearsal.id);
    end = await walk({ site, crew }, id, hungry.look);
  }, 900_000);
  afterAll(async () => {
    await product?.stop();
    await site?.stop();
  });

  it("R4.6: the failing test is recognised on the disposable cluster, and the way back is measured", () => {
    expect(rehearsal).toMatchObject({ state: "COMPLETED", outcome: "partial", obligations: [] });
    expect(rehearsal.targets.map(({ name, step }) => [name, step])).toEqual([
      ["gpu001", "rolled_back"],
      ["gpu002", "accepted"],
    ]);
    expect(site.disposable.fact("gpu001", "driver")).toBe(OLD_DRIVER);
    expect(end.rehearsals.map(({ id, kind }) => [id, kind]).sort()).toEqual([
      [rehearsal.id, "failure"],
      [rehearsal.id, "recovery"],
    ]);
  });

  it("R7.3: COMPLETED, partial: seven accepted, one withheld, nothing owed", () => {
    expect(end).toMatchObject({ state: "COMPLETED", outcome: "partial", obligations: [], tally: { Accepted: 7, Withheld: 1 } });
    expect(end.gates.filter((gate) => gate.is !== "done").map(({ gate, is }) => [gate, is])).toEqual([
      ["definition_agrees", "not_applicable"],
    ]);
  });

  it("R9.2: a node that somebody else drained stays theirs: reason, driver and host untouched", () => {
    expect(nodeNow(site.production, "gpu007")).toMatchObject({ state: "IDLE+DRAIN", reason: FOREIGN });
    expect(site.production.fact("gpu007", "driver")).toBe(OLD_DRIVER);
    expect(site.production.journal("gpu007")).toEqual([]);
    expect(end.targets.find((target) => target.name === "gpu007")).toMatchObject({
      step: "withheld",
      service: "drained",
      serviceReason: FOREIGN,
    });
  });

  it.each(["gpu003", "gpu001"])("R9.5: %s is not touched before its job has ended by itself", (node) => {
    const job = endOfJob(site.production, training[node] ?? "");
    expect(job.state).toBe("COMPLETED");
    const begun = end.commands.filter((command) => command.key.includes(`/${node}/`) && command.kind === "start_update");
    expect(begun).toHaveLength(1);
    expect(Date.parse(begun[0]?.startedAt ?? "")).toBeGreaterThanOrEqual(job.endedAt.getTime());
  });

  it("R9.3: work that waits for a node starts only after every check of the node has passed", () => {
    expect(hungry.waiting()).toEqual(OURS);
    for (const node of OURS) {
      const judged = end.checks
        .filter((check) => check.on === node && ["canary", "batches"].includes(check.gate) && check.verdict !== null)
        .map((check) => Date.parse(check.judgedAt ?? ""));
      expect(judged.length).toBeGreaterThanOrEqual(4);
      const started = endOfJob(site.production, hungry.of(node)).startedAt.getTime();
      expect(started + 999, node).toBeGreaterThanOrEqual(Math.max(...judged));
    }
  });

  it("R9.4: each node was updated and rebooted once", () => {
    for (const node of OURS)
      expect(site.production.journal(node)).toEqual([`install-driver ${NEW_DRIVER} begin`, `install-driver ${NEW_DRIVER} end`]);
    expect([...site.production.reboots()].sort()).toEqual(OURS);
  });

  it("the scheduler and the hosts agree with the record, and no reservation is left", () => {
    for (const target of end.targets.filter((one) => one.name !== "gpu007")) {
      expect(nodeNow(site.production, target.name)).toMatchObject({ state: "IDLE", reason: null });
      expect(target).toMatchObject({ step: "accepted", service: "in_service" });
      expect(site.production.fact(target.name, "driver")).toBe(NEW_DRIVER);
    }
    for (const lab of [site.production, site.disposable]) expect(lab.slurm("scontrol", "show", "reservation")).toContain("No reservations");
  });

  it("R4.4, R12: each signed as themselves, a viewer could only look, and both chains verify", async () => {
    const by = (kind: string) => [...new Set(end.decisions.filter((one) => one.kind === kind).map((one) => one.by.id))];
    expect({ approval: by("plan_approval"), signOff: by("sign_off") }).toEqual({ approval: ["MR"], signOff: ["MR"] });
    const refused = await product.crew["RB"]!.post(`/changes/${end.id}/actions/close`, {});
    expect(refused.status).toBe(403);
    for (const id of [end.id, rehearsal.id])
      expect((await product.crew["RB"]!.get(`/changes/${id}/audit`)).body).toMatchObject({ intact: true, broken: null });
  });
});
