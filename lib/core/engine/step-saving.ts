import { mayRollBack } from "@/lib/core/change/rollback";
import type { Target } from "@/lib/core/change/target";
import { componentOf } from "./component-of";
import { commandOf, standing, type Look } from "./look";
import { ask, goTo, running, type StepRuling } from "./step-ruling";

/**
 * The rollback snapshot: per component the version that runs now (R9). A component that could be rolled back but whose version cannot be read
 * leaves the node untouched: without a saved version nobody could tell afterwards whether it came back.
 */
export function stepSaving(look: Look, t: Target): StepRuling {
  const components = t.rollback.map((c) => ({
    name: c.name,
    component: componentOf(c.name, look.s.change.goal),
    capability: c.capability,
    read: null,
  }));
  if (components.length === 0) return goTo("protecting", "nothing of it can be rolled back: nothing to save");
  const save = commandOf(look, t, "save_versions");
  if (save === null) {
    const request = { kind: "save_versions" as const, node: t.name, components };
    return { commands: [ask(look, t, request, { because: "versions saved before the update", deadlineMs: look.policy.commandMs })] };
  }
  const now = standing(save, look);
  if (now === "running") return running(t, save, look);
  const saved = save.outcome?.saved;
  if (now !== "done" || saved === undefined)
    return goTo("withheld", `its versions could not be saved: ${save.outcome?.because ?? "no answer before the deadline"}`);
  const missing = t.rollback.find((c) => mayRollBack(c) && (saved.find((v) => v.name === c.name)?.version ?? null) === null);
  const why = saved.find((v) => v.name === missing?.name)?.because ?? "not reported";
  const moves = [{ move: "saved" as const, targetId: t.id, components: saved.map((v) => ({ name: v.name, savedVersion: v.version })) }];
  return missing !== undefined
    ? { ...goTo("withheld", `the version of ${missing.name} could not be saved: ${why}`), moves }
    : { ...goTo("protecting", "versions saved"), moves };
}
