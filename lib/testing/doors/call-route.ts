import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** `path` behind /api/v1, still encoded, with its query. */
export type Ask = {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>;
};
export type Told = { readonly status: number; readonly headers: Headers; readonly text: string; readonly body: Record<string, unknown> };
type Route = Readonly<
  Record<string, ((request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>) | undefined>
>;

const ROOT = resolve(import.meta.dirname, "../../../app/api/v1");
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Every route file of the API: its address with {names}, as OpenAPI writes it. */
export const routePaths = (): readonly string[] =>
  readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("route.ts"))
    .map((file) => `/${dirname(file).replaceAll("[", "{").replaceAll("]", "}")}`)
    .sort();

const load = async (path: string): Promise<Route> =>
  (await import(/* @vite-ignore */ join(ROOT, path.replaceAll("{", "[").replaceAll("}", "]"), "route.ts"))) as Route;

/** The methods that a route file answers. */
export async function methodsOf(path: string): Promise<readonly string[]> {
  const route = await load(path);
  return METHODS.filter((method) => route[method] !== undefined);
}

/** One request to the handler that the file tree names for its address, with names decoded as the framework decodes them. */
export async function callRoute({ method, path, headers, body }: Ask): Promise<Told> {
  const url = new URL(`http://127.0.0.1/api/v1${path}`);
  const parts = url.pathname.slice("/api/v1/".length).split("/");
  for (const pattern of routePaths()) {
    const params = match(pattern.slice(1).split("/"), parts);
    if (params === null) continue;
    const handler = (await load(pattern))[method];
    if (handler === undefined) return { status: 405, headers: new Headers(), text: "", body: {} };
    const request = new Request(url, {
      method,
      ...(headers ? { headers } : {}),
      ...(body === undefined ? {} : { body: body as BodyInit, duplex: "half" }),
    });
    return told(await handler(request, { params: Promise.resolve(params) }));
  }
  return { status: 404, headers: new Headers(), text: "", body: {} };
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [at, name] of pattern.entries()) {
    const part = decodeURIComponent(parts[at] ?? "");
    if (name.startsWith("{")) params[name.slice(1, -1)] = part;
    else if (name !== part) return null;
  }
  return params;
}

async function told(response: Response): Promise<Told> {
  const text = await response.text();
  const json = /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, body: json ? (JSON.parse(text) as Record<string, unknown>) : {} };
}
