import type { ActionView, ChangeView } from "@/lib/core/change/view/change-view";
import type { Crew } from "./crew";
import { until } from "./until";

type Inputs = Readonly<Record<string, (view: ChangeView, action: ActionView) => object>>;
type Follow = {
  readonly crew: Crew;
  /** Who does which action when the product leaves it open; initials. */
  readonly by: Readonly<Record<string, string>>;
  readonly inputs: Inputs;
  readonly timeoutMs: number;
  /** Called after each look; true ends the walk. */
  readonly stop: (view: ChangeView) => boolean;
};

/**
 * Does what a crew would: reads the change, does its next action as the person it names, waits while the worker works. It knows no order of
 * its own, so it comes to the end only if `nextAction` always names the next step.
 */
export async function follow(id: string, walk: Follow): Promise<ChangeView> {
  const reader = Object.values(walk.crew)[0];
  if (reader === undefined) throw new Error("nobody is in the crew");
  let last: ChangeView | null = null;
  let done = "";
  const seen = () => (last === null ? "nothing" : `${last.state}, ${last.headline.stands} ${last.headline.next} (${tallied(last)})`);
  return await until(
    `change ${id}`,
    async () => {
      const view = await reader.change(id);
      last = view;
      if (walk.stop(view)) return view;
      const next = view.nextAction;
      if (next.by !== "person" || next.action === null) return null;
      // The worker may not have looked since the last step; the same step for the same version is never done twice.
      const step = `${view.version}/${next.action}/${next.on ?? ""}`;
      if (step === done) return null;
      const action = view.actions.find((one) => one.action === next.action && one.on === next.on && one.permitted);
      if (action === undefined) return null;
      await doIt(id, walk, view, action);
      done = step;
      return null;
    },
    { timeoutMs: walk.timeoutMs, everyMs: 250, seen },
  );
}

async function doIt(id: string, walk: Follow, view: ChangeView, action: ActionView): Promise<void> {
  const initials = walk.by[action.action] ?? action.who.people[0]?.id;
  const api = initials === undefined ? undefined : walk.crew[initials];
  if (api === undefined) throw new Error(`nobody of the crew does ${action.action} (${JSON.stringify(action.who)})`);
  const again = view.checks.some((check) => check.verdict === "unresolved" && action.action === `run-${check.gate.replace("_", "-")}`);
  if ((GIVES_UP.has(action.action) || again) && walk.inputs[action.action] === undefined)
    throw new Error(`${action.action} ${action.on ?? ""} is all that is left: ${unresolved(view)}`);
  const input = walk.inputs[action.action]?.(view, action) ?? {};
  const body = { ...(action.on === null ? {} : { on: action.on }), version: view.version, ...input };
  console.info(`${Math.round(performance.now() / 1000)} s: ${initials} ${action.action} ${action.on ?? ""} on ${id}: ${tallied(view)}`);
  const acted = await api.post(`/changes/${id}/actions/${action.action}`, body);
  // Somebody (the worker) wrote in between: read again, as a person would.
  if (acted.status === 409 && acted.body["code"] === "conflict") return;
  if (acted.status !== 200)
    throw new Error(`${initials} ${action.action} ${JSON.stringify(body)}: ${acted.status} ${JSON.stringify(acted.body)}`);
}

/** What a crew does only when the test says so: nobody takes a node that could not be judged for done. */
const GIVES_UP = new Set(["release-node", "roll-back-node", "waive", "judge", "run-check"]);
const unresolved = (view: ChangeView): string =>
  view.checks
    .filter((check) => check.verdict === "unresolved" || check.verdict === "fail")
    .map((check) => `${check.name} on ${check.on} (${check.generation}): ${check.because}`)
    .concat(view.targets.flatMap((target) => (target.needsInvestigation ? [`${target.name}: ${target.because ?? ""}`] : [])))
    .join("; ");

/** "6 Not attempted, 2 Accepted" */
const tallied = (view: ChangeView): string =>
  Object.entries(view.tally)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");
