import { unstable_rethrow } from "next/navigation";

import { type FormState } from "@/lib/client/form-state";
import { type Result } from "@/lib/core/kernel/result";
import { type PersonView } from "@/lib/ports/rows";
import { type Deps } from "@/lib/services/deps";
import { type Refusal } from "@/lib/services/refusal";

import { currentPerson } from "./session";
import { wired } from "./wired";

type Call = { readonly actor: PersonView; readonly deps: Deps; readonly form: FormData };
/** What was done, in one sentence and, where there is more, its lines; `shown`: a text to copy. `after` runs outside everything else: a redirect, say. */
type Done = { readonly said: string; readonly lines?: readonly string[]; readonly shown?: string; readonly after?: () => void };
type Run = (call: Call) => Promise<Result<Done, Pick<Refusal, "because" | "places">>>;

/** Longest text that is handed back to its form. */
const TYPED_AT_MOST = 300_000;

/** A form's server action: who asks, as the record has them now; refusals as values beside the form; what breaks has an id that is in the log. */
export function defineAction(run: Run): (before: FormState, form: FormData) => Promise<FormState> {
  return async (before, form) => {
    const refused = (because: string, places: readonly string[] = []): FormState => ({
      is: "refused",
      because,
      places,
      typed: typedOf(form),
      answers: before.answers + 1,
    });
    const actor = await currentPerson();
    if (actor === null) return refused("Your session has ended. Sign in again in another tab, then send this again: it is kept here.");
    const { deps } = await wired();
    try {
      const done = await run({ actor, deps, form });
      if (!done.ok) return refused(done.error.because, done.error.places);
      done.value.after?.();
      const { said, lines = [], shown } = done.value;
      return {
        is: "done",
        because: said,
        places: lines,
        ...(shown === undefined ? {} : { shown }),
        typed: {},
        answers: before.answers + 1,
      };
    } catch (cause) {
      unstable_rethrow(cause);
      const id = crypto.randomUUID();
      deps.log.error({ errorId: id, cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) }, "a form broke off");
      return refused(`Something is broken here. Nothing was changed unless the record says so. Error id ${id} is in the log.`);
    }
  };
}

function typedOf(form: FormData): Readonly<Record<string, readonly string[]>> {
  const typed: Record<string, string[]> = {};
  for (const [name, value] of form.entries()) {
    if (typeof value === "string" && !name.startsWith("$") && value.length <= TYPED_AT_MOST) (typed[name] ??= []).push(value);
  }
  return typed;
}
