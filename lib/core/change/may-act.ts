import type { Role } from "@/lib/core/access/roles";
import type { PersonId } from "@/lib/core/kernel/ids";
import type { ActionState } from "./action-state";
import type { Reason } from "./reason";
import { isRole } from "./who-may";

type MayAct = { readonly allowed: true } | { readonly allowed: false; readonly because: Reason };

/** Whether this person may do it, be it open or not. The roles are those of this moment, not those of the record. */
export function mayAct(state: ActionState, person: { readonly id: PersonId; readonly roles: readonly Role[] }): MayAct {
  const { by, people, notPeople, wrote, already, readFirst } = state.who;
  const roles = by.filter(isRole);
  const posts = by.filter((one) => !isRole(one));
  const fits = roles.some((role) => person.roles.includes(role)) || posts.length > 0;
  if (already.includes(person.id))
    return {
      allowed: false,
      because: { code: "settled", what: "you have signed or read this record already; a second pair of eyes is somebody else's" },
    };
  if (notPeople.includes(person.id) && fits)
    return { allowed: false, because: { code: "own_work", personId: person.id, did: wrote.includes(person.id) ? "wrote" : "ran" } };
  if (fits && people.includes(person.id))
    return readFirst.includes(person.id) ? { allowed: false, because: { code: "reads_first", personId: person.id } } : { allowed: true };
  const [role] = roles;
  const [post] = posts;
  if (role !== undefined && !person.roles.includes(role)) return { allowed: false, because: { code: "role", needs: role } };
  if (post !== undefined && !isRole(post)) return { allowed: false, because: { code: "post", needs: post, people } };
  return { allowed: false, because: { code: "not_yet", what: "the plan names others for this", next: "ask one of them" } };
}
