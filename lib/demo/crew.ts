import { actOnChange } from "@/lib/services/act-on-change";
import { createChange } from "@/lib/services/create-change";
import type { Deps } from "@/lib/services/deps";
import type { Refusal } from "@/lib/services/refusal";
import { recordBaseline } from "@/lib/services/record-baseline";
import { saveAcceptanceJob } from "@/lib/services/save-acceptance-job";
import type { ChangeView } from "@/lib/core/change/view/change-view";
import { showChange } from "@/lib/services/show-change";
import { verifyAudit } from "@/lib/services/verify-audit";

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

/** The product's API as one person. */
export type Api = {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body: string | object) => Promise<Answer>;
  readonly change: (id: string) => Promise<ChangeView>;
  /** An action that must be taken; anything else is an error that shows the answer. */
  readonly act: (id: string, action: string, input?: object) => Promise<void>;
};
/** People by their initials. */
export type Crew = Readonly<Record<string, Api>>;

/** A crew without the web server between: the use cases called in this process. What the routes add is tested on the routes. */
export async function serviceCrew(deps: Deps): Promise<Crew> {
  const people = await deps.store.people();
  return Object.fromEntries(people.map((person) => [person.id, apiOf(deps, person)]));
}

function apiOf(deps: Deps, person: Awaited<ReturnType<Deps["store"]["people"]>>[number]): Api {
  const answer = (
    done: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: Refusal },
    status = 200,
  ): Answer =>
    done.ok
      ? { status, body: (done.value ?? {}) as Record<string, unknown> }
      : { status: done.error.code === "conflict" ? 409 : 422, body: { ...done.error } };
  const post: Api["post"] = async (path, body) => {
    const acting = /^\/changes\/([^/]+)\/actions\/([^/]+)$/.exec(path);
    if (acting !== null)
      return answer(await actOnChange(deps, { actor: person, changeId: acting[1] ?? "", action: acting[2] ?? "", input: body }));
    if (path === "/changes") {
      const made = await createChange(deps, { actor: person, yaml: String(body) });
      return made.ok ? { status: 201, body: { id: made.value.changeId } } : answer(made);
    }
    if (path === "/acceptance-jobs") return answer(await saveAcceptanceJob(deps, { actor: person, yaml: String(body) }), 201);
    const recording = /^\/acceptance-jobs\/([^/]+)\/baselines$/.exec(path);
    if (recording !== null) return answer(await recordBaseline(deps, { actor: person, jobId: recording[1] ?? "", input: body }), 201);
    throw new Error(`no use case behind POST ${path}`);
  };
  return {
    post,
    get: async (path) => {
      const audit = /^\/changes\/([^/]+)\/audit$/.exec(path);
      if (audit !== null) return { status: 200, body: (await verifyAudit(deps, audit[1] ?? "")) as unknown as Record<string, unknown> };
      throw new Error(`no use case behind GET ${path}`);
    },
    change: async (id) => {
      const shown = await showChange(deps, id);
      if (!shown.ok) throw new Error(shown.error.because);
      return shown.value;
    },
    act: async (id, action, input = {}) => {
      const acted = await post(`/changes/${id}/actions/${action}`, input);
      if (acted.status !== 200) throw new Error(`${action} ${JSON.stringify(input)}: ${JSON.stringify(acted.body)}`);
    },
  };
}
