import type { ChangeView } from "@/lib/core/change/view/change-view";
import { expandHostlist } from "@/lib/core/kernel/hostlist";
import type { Api } from "./crew";
import { CREW_INPUTS } from "./crew-inputs";
import { driverPlan, ncclJob } from "./driver-plan";
import { follow } from "./follow";
import { recordFabricBaseline, runOverSsh } from "./record-fabric-baseline";
import { recordPlan } from "./record-plan";
import { rehearse } from "./rehearse";
import type { Stage } from "./stage";

const [FROM, TO] = ["570.133.20", "570.172.08"] as const;
const H100 = "h100-8/cx7-8/ubuntu22";
const A100 = "a100-8/cx6-8/ubuntu22";
const JOBS = ["nccl-h100@1", "nccl-a100@1"] as const;
const TITLES = {
  failure: "Rehearsal: a driver test that fails",
  recovery: "Rehearsal: back to the old driver",
  done: `GPU driver ${TO}, first nodes of sim-second`,
  paused: `GPU driver ${TO}, next nodes of sim-second`,
  draft: `GPU driver ${TO} on all of sim-h100`,
} as const;
/** Four nodes a leaf each. */
const DONE_NODES = "b[001-003,009-011,017-019,025-027]";
const PAUSED_NODES = "b[033-036,041-044,049-052,057-060]";
const PATIENCE_MS = 20 * 60_000;

type Walk = (id: string, stop: (view: ChangeView) => boolean) => Promise<ChangeView>;

/**
 * What a newcomer finds in the demo, done by its people through the product's own use cases: two rehearsals, a completed change, one paused in the
 * middle of its batches, and a draft that waits for its approver. What is there already is gone on with, so that a stopped start loses nothing.
 */
export async function tellStory(stage: Stage): Promise<void> {
  const { crew, deps } = stage;
  const [ak, lt] = [personOf(stage, "AK"), personOf(stage, "LT")];
  const changes = await deps.store.listChanges({ limit: 500 });
  const begun = new Map(changes.map((change) => [change.title, change.id as string]));
  const ours = Object.values(TITLES).filter((title) => begun.has(title));
  if (changes.length > 0 && ours.length === 0) return console.info("This record has changes of its own; nothing is added to it.");

  /** The change of this title; made when it is not there. */
  const changeOf = async (title: string, prepare: () => Promise<string>): Promise<string> =>
    begun.get(title) ?? (await recordPlan(ak, await prepare()));
  const planOf = async (p: Omit<Parameters<typeof driverPlan>[0], "from" | "to" | "now">): Promise<string> =>
    driverPlan({ ...p, from: FROM, to: TO, now: await deps.clock.now() });
  const walk: Walk = (id, stop) => follow(id, { crew, by: {}, inputs: CREW_INPUTS, timeoutMs: PATIENCE_MS, stop });

  const practise = async (title: string, nodes: string, failing: readonly string[]): Promise<string> => {
    const plan = { title, cluster: "sim-test", nodes, jobs: [], canaries: "{perClass: 0}", batchSize: 4 };
    const id = await changeOf(title, () => planOf(plan));
    await rehearse(stage, { id, failing, timeoutMs: PATIENCE_MS });
    return id;
  };
  const [failure, recovery] = await Promise.all([
    practise(TITLES.failure, "t[002,006,010,014]", ["t002", "t014"]),
    practise(TITLES.recovery, "t[003,007,011,015]", ["t003", "t015"]),
  ]);
  const linkRehearsals = async (id: string): Promise<void> => {
    const linked = new Set((await ak.change(id)).rehearsals.map(({ kind }) => kind));
    for (const [kind, rehearsal] of [
      ["failure", failure],
      ["recovery", recovery],
    ] as const)
      if (!linked.has(kind)) await ak.act(id, "link-rehearsal", { rehearsal, kind, reason: "the same commands on the disposable cluster" });
  };

  const published = new Set((await deps.store.acceptanceJobs()).map(({ id }) => id as string));
  for (const [id, name, label] of [
    [JOBS[0], "nccl-h100", H100],
    [JOBS[1], "nccl-a100", A100],
  ] as const)
    if (!published.has(id)) expectDone(await lt.post("/acceptance-jobs", ncclJob(name, label)));
  const baseline = async (cluster: string, nodes: string): Promise<void> =>
    await recordFabricBaseline({
      owner: lt,
      cluster,
      class: H100,
      job: JOBS[0],
      nodes: hosts(nodes),
      run: runOverSsh(deps, cluster),
      now: () => deps.clock.now(),
    });

  const draft = await changeOf(TITLES.draft, async () => {
    await baseline("sim-h100", "gpu[001-016]");
    const nodes = { cluster: "sim-h100", nodes: "gpu[001-128]", jobs: JOBS, batchSize: 16 };
    return await planOf({ title: TITLES.draft, ...nodes, advance: "auto", delay: "5m", drainDeadline: "2h", windowHours: 168 });
  });
  await linkRehearsals(draft);
  await walk(draft, (view) => view.nextAction.action === "approve-plan" || view.state !== "PENDING");

  const second = { cluster: "sim-second", jobs: [JOBS[0]], batchSize: 4, delay: "5m", windowHours: 48 };
  const done = await changeOf(TITLES.done, async () => {
    await baseline("sim-second", DONE_NODES);
    return await planOf({ title: TITLES.done, nodes: DONE_NODES, ...second });
  });
  await linkRehearsals(done);
  await walk(done, (view) => view.endedAt !== null);

  const paused = await changeOf(TITLES.paused, () => planOf({ title: TITLES.paused, nodes: PAUSED_NODES, ...second }));
  await linkRehearsals(paused);
  await spoil(stage, paused, walk);
}

/** The second batch meets a broken node and one that falls silent, after every check before it was good; the operator waits for whoever decides. */
async function spoil(stage: Stage, id: string, walk: Walk): Promise<void> {
  const ak = personOf(stage, "AK");
  const spoilt = new Set<string>();
  const end = await walk(id, (view) => {
    const [broken, silent] = view.targets.filter(({ batch, role }) => batch === 2 && role === "member");
    for (const [node, fault] of [
      [broken, { fault: "dcgm-fails", gpu: 3 }],
      [silent, { fault: "target-down" }],
    ] as const) {
      if (node === undefined || node.step === "waiting" || spoilt.has(node.name)) continue;
      spoilt.add(node.name);
      void stage.fault({ cluster: view.cluster, node: node.name, ...fault });
    }
    return broken?.outcome === "Rollback failed" && silent?.outcome === "Unresolved";
  });
  const pause = end.actions.find(({ action, permitted }) => action === "pause" && permitted);
  if (pause !== undefined)
    await ak.act(id, "pause", { reason: "One node needs the hardware team, one reports nothing. Waiting for the decision." });
}

function personOf(stage: Stage, initials: string): Api {
  const person = stage.crew[initials];
  if (person === undefined) throw new Error(`${initials} is not among the people of the demo`);
  return person;
}

function hosts(list: string): readonly string[] {
  const names = expandHostlist(list);
  if (!names.ok) throw new Error(`${list} is no host list`);
  return names.value;
}

function expectDone({ status, body }: Awaited<ReturnType<Api["post"]>>): void {
  if (status >= 300) throw new Error(`refused: ${JSON.stringify(body)}`);
}
