import { isOwnWork } from "@/lib/core/access/separation";
import { POSTS, ROLES, type Post, type Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { ActionState } from "./action-state";
import { ACTION_TRAITS, type Action } from "./actions";
import { GATE_PROFILES } from "./gate-profiles";
import type { ActLook, Possible } from "./permit-look";
import type { Snapshot } from "./snapshot";

export const isRole = (by: Role | Post): by is Role => ROLES.some((role) => role === by);
const isPost = (by: Role | Post): by is Post => POSTS.some((post) => post === by);

/** Who may do an action to one thing now, and who is kept apart from it (R4.4). A rehearsal keeps nobody apart and is approved by its operator (R7.5). */
export function whoMay(action: Action, look: Pick<ActLook, "s" | "policy">, thing: Possible): ActionState["who"] {
  const { s, policy } = look;
  const traits = ACTION_TRAITS[action];
  const rehearsal = s.change.profile === "rehearsal";
  const byOperator =
    action === "approve-plan" && GATE_PROFILES[s.change.profile].approval === "operator" && !policy.stricter.approverForRehearsal;
  const by: readonly (Role | Post)[] = byOperator ? ["operator", "approver"] : traits.by;
  const ownWork = traits.apart && !rehearsal ? [...new Set([...s.separation.authorIds, ...s.separation.ranIds])] : [];
  const notPeople = [...new Set([...ownWork, ...(thing.kept ?? [])])];
  const people = [...new Set(by.flatMap((one) => (isPost(one) ? holdersOf(one, s, thing) : roleHolders(one, s))))];
  return {
    by,
    people: people.filter((id) => !notPeople.includes(id)),
    notPeople,
    wrote: ownWork.filter((id) => isOwnWork(id, s.separation) === "wrote"),
    already: thing.kept ?? [],
    readFirst: thing.readFirst ?? [],
  };
}

/** Everybody with the role; workload owners and approvers only the named ones, where the plan names any. */
function roleHolders(role: Role, s: Snapshot): readonly PersonId[] {
  const named = role === "workload_owner" ? s.change.people.workloadOwner : role === "approver" ? s.change.people.approver : [];
  const holders = s.people.filter((p) => p.roles.includes(role)).map((p) => p.id);
  return named.length === 0 ? holders : holders.filter((id) => named.includes(id));
}

function holdersOf(post: Post, s: Snapshot, thing: Possible): readonly PersonId[] {
  switch (post) {
    case "author":
      return s.separation.authorIds.length > 0 ? s.separation.authorIds : [s.change.authorId];
    case "owner":
      return [s.change.ownerId];
    case "decision_owner":
      return [s.change.people.decisionOwner ?? s.change.ownerId];
    default:
      return thing.holders ?? [];
  }
}
