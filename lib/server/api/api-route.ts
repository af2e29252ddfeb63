import type { PersonView } from "@/lib/ports/rows";
import type { Deps } from "@/lib/services/deps";
import { bearerPerson } from "./bearer-person";
import { problem } from "./problem";
import { queryFaults } from "./query-faults";
import { wired } from "../wired";

type Context<P> = { readonly params: Promise<P> };
type Call<P> = { readonly request: Request; readonly params: P; readonly person: PersonView; readonly deps: Deps; readonly url: URL };

/** Names in addresses: anything longer or with other characters is nothing of ours. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:@/ -]{0,252}$/;

/**
 * One route of /api/v1: who asks, bounded names, and every failure as problem details with an id that is in the log. `query`: the names its query
 * string may have, each at most once; others are refused, because a misspelt filter would answer another question than was asked.
 */
export function apiRoute<P extends Record<string, string>>(run: (call: Call<P>) => Promise<Response>, query: readonly string[] = []) {
  return async (request: Request, context: Context<P>): Promise<Response> => {
    const deps = await depsOrNull();
    if (deps === null) return problem(503, "broken", "Something is broken here", "The server has no working set-up yet; its log says why.");
    try {
      // Routes without a name in their address get none.
      const params = (await (context.params as Promise<P> | undefined)) ?? ({} as P);
      const bad = Object.entries(params).find(([, value]) => !NAME.test(value));
      if (bad !== undefined)
        return problem(
          404,
          "not_found",
          "There is no such thing",
          `"${bad[0]}" in the address is not a name: letters, digits and . _ - : @ only, at most 253.`,
        );
      const person = await bearerPerson(deps, request);
      if (person instanceof Response) return person;
      const url = new URL(request.url);
      const places = queryFaults(url.searchParams, query);
      if (places.length > 0) return problem(400, "invalid", "The input is not usable", "The query string cannot be used.", places);
      return await run({ request, params, person, deps, url });
    } catch (cause) {
      const id = crypto.randomUUID();
      deps.log.error(
        {
          errorId: id,
          path: new URL(request.url).pathname,
          cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
        },
        "a request broke off",
      );
      return problem(
        500,
        "broken",
        "Something is broken here",
        `Nothing was changed by this request unless the record says so. Error id ${id} is in the log.`,
      );
    }
  };
}

async function depsOrNull(): Promise<Deps | null> {
  try {
    return (await wired()).deps;
  } catch (cause) {
    // There is no log yet where there is no set-up.
    process.stderr.write(`api: ${cause instanceof Error ? cause.message : String(cause)}\n`);
    return null;
  }
}
