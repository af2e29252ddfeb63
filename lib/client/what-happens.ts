import type { ChangeView } from "@/lib/core/change/view/change-view";
import { foldHostlist } from "@/lib/core/kernel/hostlist";

type Seen = Pick<ChangeView, "targets" | "batches" | "goal" | "id">;
type Target = Seen["targets"][number];

/** What an action does to which nodes, said before it is done. */
export type Happening = {
  readonly text: string;
  readonly nodes: readonly string[];
  /** The same as a host list, "" for none. */ readonly names: string;
  readonly gpus: number;
  /** What stays as it is. */ readonly others: string;
};

/** One thing that an action may be done to. */
export type Thing = { readonly on: string | null; readonly name: string; readonly happens: Happening | null };

/** Beside a button that touches nodes or ends something: which nodes and how many GPUs, and what becomes of them; null where nothing is touched. */
export function whatHappens(view: Seen, action: string, on: string | null): Happening | null {
  const told = TOLD[action]?.(view, on ?? "");
  if (told === undefined) return null;
  const nodes = view.targets.filter((target) => told.is?.(target) === true);
  const rest = view.targets.length - nodes.length;
  return {
    text: told.text,
    nodes: nodes.map(({ name }) => name),
    names: foldHostlist(nodes.map(({ name }) => name)),
    gpus: nodes.reduce((sum, { gpus }) => sum + gpus, 0),
    others: rest === 0 ? "no other node is in the plan" : `the other ${rest} ${rest === 1 ? "node" : "nodes"} of the plan`,
  };
}

type Told = { readonly text: string; readonly is?: (target: Target) => boolean };
const named = (on: string) => (target: Target) => target.name === on;
const inBatch = (on: string) => (target: Target) => String(target.batch) === on;

const TOLD: Readonly<Record<string, (view: Seen, on: string) => Told>> = {
  "start-canary": ({ goal }) => ({
    text: `The canaries are drained, updated to ${goal.version} and validated before anything else is touched. Running jobs are waited for, never ended.`,
    is: (t) => t.role === "canary" && t.step === "waiting",
  }),
  "start-batch": ({ goal }, on) => ({
    text: `Batch ${on} is drained, updated to ${goal.version}, validated and returned. Running jobs are waited for, never ended.`,
    is: (t) => inBatch(on)(t) && t.step === "waiting",
  }),
  "roll-back-node": (_, on) => ({
    text: `${on} is put back to the saved version, reboots once, and stays out until its acceptance on that version passes.`,
    is: named(on),
  }),
  "reject-canary": () => ({ text: "The canary of this report goes back to its saved version. No batch of its class starts." }),
  "retry-node": (_, on) => ({ text: `${on} is put into a batch again, as a new try.`, is: named(on) }),
  "withdraw-node": (_, on) => ({
    text: `${on} is left on the old version by this change, and released untouched if it was drained by it.`,
    is: named(on),
  }),
  "defer-node": (_, on) => ({
    text: `${on} is left on the old version for now, and released untouched if it was drained by this change.`,
    is: named(on),
  }),
  "release-node": (_, on) => ({
    text: `${on} is handed over as it stands, not accepted: its place is freed, its drain stays.`,
    is: named(on),
  }),
  decide: (_, on) => ({
    text: `The decision counts for batch ${on}. Rolling everything back reboots every node that was updated.`,
    is: inBatch(on),
  }),
  "decide-drain": (_, on) => ({
    text: "No job is ended by waiting; a deferred or withdrawn node is released untouched.",
    is: named(on),
  }),
  "capture-baseline": (_, on) => ({ text: `The acceptance job runs on a node of class ${on} that is held or free.` }),
  "run-fabric-validation": () => ({ text: "The plan's commands run on updated nodes as exclusive jobs; nothing is changed on them." }),
  "run-spot-validation": () => ({
    text: "The plan's commands run on a sample of updated nodes as exclusive jobs; nothing is changed on them.",
  }),
  withdraw: ({ id }) => ({ text: `${id} ends here. Nothing was touched; it cannot be taken up again.` }),
  close: ({ id }) => ({ text: `${id} ends. What is out by then stays out, with the owner named for it.` }),
};
