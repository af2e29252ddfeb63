import { err, ok, type Result } from "@/lib/core/kernel/result";
import { bytesWithin, partsOf } from "./bytes-within";

type Environment = Readonly<Record<string, string | undefined>>;
type Call = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: { readonly type: string; readonly bytes: Uint8Array | string };
};

/** What the API refused, or why it could not be asked; one sentence, without the token. */
export type ApiFault = { readonly status: number | null; readonly because: string; readonly body: unknown };
export type ApiClient = { readonly call: (call: Call) => Promise<Result<unknown, ApiFault>> };

const DEADLINE_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Asks /api/v1 at CLEARANCE_URL (default http://127.0.0.1:3000) with the token of CLEARANCE_TOKEN. */
export function apiClient(env: Environment, ask: typeof fetch = fetch): Result<ApiClient, string> {
  const base = env.CLEARANCE_URL || "http://127.0.0.1:3000";
  const token = env.CLEARANCE_TOKEN;
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) return err(`CLEARANCE_URL is not an http address: ${base}`);
  if (!token)
    return err("CLEARANCE_TOKEN is not set: give the API token of the person who asks (in the demo: demo-people.json in the data folder).");
  if (!/^[\x21-\x7e]+$/.test(token)) return err("CLEARANCE_TOKEN holds characters that no token has.");
  return ok({ call: (call) => callApi({ base, token, ask }, call) });
}

async function callApi(
  { base, token, ask }: { base: string; token: string; ask: typeof fetch },
  { method, path, body }: Call,
): Promise<Result<unknown, ApiFault>> {
  const url = new URL(`/api/v1${path}`, base);
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": body.type }),
  };
  let status: number | null = null;
  try {
    const answer = await ask(url, {
      method,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body === undefined ? {} : { body: body.bytes as BodyInit }),
    });
    status = answer.status;
    const bytes = await bytesWithin(partsOf(answer.body), MOST_BYTES);
    if (bytes === null) return err({ status, because: `The answer of ${url.origin} is too long.`, body: null });
    const read = parse(new TextDecoder().decode(bytes));
    if (!read.ok)
      return err({ status, because: `${url.origin} answered ${status} with something that is not JSON; is this Clearance?`, body: null });
    return answer.ok ? ok(read.value) : err({ status, because: detailOf(read.value, status), body: read.value });
  } catch (cause) {
    const why = cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
    return err({ status, because: `${url.origin} cannot be reached: ${why}. Check CLEARANCE_URL.`, body: null });
  }
}

function parse(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (cause) {
    return err(String(cause));
  }
}

function detailOf(body: unknown, status: number): string {
  const { title, detail, places } = (body ?? {}) as { title?: unknown; detail?: unknown; places?: unknown };
  const words = [title, detail].filter((word): word is string => typeof word === "string").join(": ");
  const where = Array.isArray(places) ? places.map((place) => `\n  ${String(place)}`).join("") : "";
  return `${words === "" ? `refused with status ${status}` : words}${where}`;
}
