import { sshShell } from "@/lib/adapters/ssh/ssh-shell";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { CREW_INPUTS } from "@/lib/demo/crew-inputs";
import { driverPlan, ncclJob } from "@/lib/demo/driver-plan";
import type { Crew } from "@/lib/demo/crew";
import { follow } from "@/lib/demo/follow";
import type { LabSite } from "./lab-site";
import { recordFabricBaseline, runOn } from "@/lib/demo/record-fabric-baseline";

export const [OLD_DRIVER, NEW_DRIVER] = ["570.133.20", "570.172.08"] as const;
const CLASS = "h100-8/cx7-8/ubuntu22";
const JOB = "nccl-h100";

/** Who does which step, where several may. */
const BY = {
  "lock-job": "LT",
  "approve-plan": "MR",
  "sign-off": "MR",
  "record-reading": "JS",
  decide: "DV",
};

/** The crew on the site of real parts: what each test of it begins with. */
type RealPath = { readonly site: LabSite; readonly crew: Crew };

/**
 * A test that fails on purpose and the way back, on the disposable cluster: dcgm finds a bad memory on gpu001 while the new driver runs, and nothing any
 * more as soon as the node goes back. Gives the change when it has ended.
 */
export async function rehearseOnLab({ site, crew }: RealPath, watch: (view: ChangeView) => void = () => undefined): Promise<ChangeView> {
  const lab = site.disposable;
  lab.setFact("gpu001", "dcgm-fail-gpu", "3");
  const plan = driverPlan({
    cluster: "rehearse",
    nodes: "gpu[001-002]",
    from: OLD_DRIVER,
    to: NEW_DRIVER,
    jobs: [],
    canaries: "{perClass: 0}",
    now: new Date(),
  });
  const id = await record(crew, plan);
  return await walk({ site, crew }, id, (view) => {
    watch(view);
    if (view.targets.some((target) => target.name === "gpu001" && target.step === "rolling_back"))
      lab.setFact("gpu001", "dcgm-fail-gpu", null);
  });
}

/** The change on the production cluster, recorded, with its acceptance job published and both rehearsals linked. */
export async function planOnLab({ site, crew }: RealPath, rehearsal: string): Promise<string> {
  const published = await crew["LT"]?.post("/acceptance-jobs", ncclJob(JOB, CLASS));
  if (published?.status !== 201) throw new Error(`the acceptance job was not published: ${JSON.stringify(published?.body)}`);
  await fabricOnLab(site, crew);
  const id = await record(
    crew,
    driverPlan({ cluster: "lab", nodes: "gpu[001-008]", from: OLD_DRIVER, to: NEW_DRIVER, jobs: [`${JOB}@1`], now: new Date() }),
  );
  for (const kind of ["failure", "recovery"])
    await crew["AK"]?.act(id, "link-rehearsal", { rehearsal, kind, reason: "the same commands on the disposable cluster" });
  return id;
}

/** Seven of eight come to the end: gpu007 is somebody else's. */
async function fabricOnLab(site: LabSite, crew: Crew): Promise<void> {
  const { ssh, nodes } = site.production;
  const { user, privateKey, knownHosts, hosts, head, stateDir, bootIdFile } = ssh;
  const shell = sshShell({ user, privateKey, knownHosts: () => knownHosts, nodes: { hosts }, head, stateDir, bootIdFile });
  const owner = crew["LT"];
  if (owner === undefined) throw new Error("LT is not in the crew");
  try {
    await recordFabricBaseline({
      owner,
      cluster: "lab",
      class: CLASS,
      job: `${JOB}@1`,
      nodes: nodes.filter((node) => node !== "gpu007"),
      run: runOn(shell),
      now: () => Promise.resolve(new Date()),
    });
  } finally {
    shell.close();
  }
}

/** Everybody does what is next until the change has ended; `look` sees each view before. */
export const walk = ({ crew }: RealPath, id: string, look: (view: ChangeView) => void): Promise<ChangeView> =>
  follow(id, {
    crew,
    by: BY,
    inputs: CREW_INPUTS,
    timeoutMs: 400_000,
    stop: (view) => {
      look(view);
      return view.endedAt !== null;
    },
  });

async function record(crew: Crew, plan: string): Promise<string> {
  const made = await crew["AK"]?.post("/changes", plan);
  if (typeof made?.body["id"] !== "string") throw new Error(`the plan was not recorded: ${JSON.stringify(made?.body)}`);
  return made.body["id"];
}
