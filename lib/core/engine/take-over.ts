import type { NewCommand } from "@/lib/core/change/command";
import { decisionsOf, newest, standsAt } from "@/lib/core/change/decision-rules";
import type { DecisionView } from "@/lib/core/change/snapshot";
import type { Move } from "@/lib/core/change/move";
import type { Target } from "@/lib/core/change/target";
import { isSameDrain } from "@/lib/core/node/service-observation";
import { isForeign } from "@/lib/core/node/service";
import { commandsOf, drainReason, lastOf, standing, type Look } from "./look";
import { oweDrain } from "./step-draining";
import { ask } from "./step-ruling";

/** The decision by which exactly the drain that stands on this node now becomes this change's; null: it is theirs (R9.2). */
export function takenOver(look: Look, t: Target): DecisionView | null {
  if (t.service.is !== "value" || !isForeign(t.service.value)) return null;
  const { reason } = t.service.value;
  const said = newest(
    decisionsOf(look.s, "foreign_drain", t.id).filter(
      (d) => d.choice === "take_over" && standsAt(d, look.now) && d.facts["generation"] === t.generation,
    ),
  );
  const agreed = said?.facts["reason"];
  return said !== null && (agreed === null || typeof agreed === "string") && isSameDrain(reason, agreed) ? said : null;
}

/** Sets our reason in place of theirs, once per decision; what the scheduler then shows makes the drain ours, nothing else (R9.2, R9.4). */
export function askTakeOver(look: Look, t: Target): { readonly moves: readonly Move[]; readonly commands: readonly NewCommand[] } {
  const said = takenOver(look, t);
  const last = lastOf(look, t, "drain");
  if (said === null || (last !== null && standing(last, look) === "running")) return NOTHING;
  const drains = commandsOf(look, t, "drain");
  if (drains.some((c) => c.request.kind === "drain" && c.request.takesOver?.decisionId === said.id)) return NOTHING;
  const takesOver = { reason: t.service.is === "value" ? t.service.value.reason : null, decisionId: said.id };
  const request = { kind: "drain" as const, node: t.name, reason: drainReason(look, t), takesOver };
  const because = `the drain is taken over by decision: ${said.reason}`;
  const command = ask(look, t, request, { because, deadlineMs: look.policy.commandMs, nth: drains.length + 1 });
  return { commands: [command], moves: oweDrain(look, t, command.key) };
}
const NOTHING = { moves: [], commands: [] };
