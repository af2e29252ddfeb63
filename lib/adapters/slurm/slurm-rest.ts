import { z } from "zod";
import { sendRequest, withoutSecrets } from "@/lib/adapters/http/send-request";
import type { HttpAnswer } from "@/lib/adapters/http/send-request";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";
import { restError } from "./rest-error";

export type SlurmRestOptions = {
  readonly url: string;
  readonly user: string;
  /** Asked at every call, so that a renewed token counts. */
  readonly token: () => string;
  /** "v0.0.40"; left out: the newest that the server offers and we can read. */
  readonly version?: string;
  readonly timeoutMs?: number;
};
/** `request` is what was asked, for the record: method and address, no secret. */
export type RestAnswer = { readonly bytes: Uint8Array; readonly request: string; readonly version: string };
export type SlurmRest = {
  version(): Promise<Result<string, SourceError>>;
  ask(method: "GET" | "POST", path: string, body?: unknown): Promise<Result<RestAnswer, SourceError>>;
};

const OLDEST = 36;
const NEWEST = 45;
const MAX_BYTES = 128 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const Offered = z.looseObject({ paths: z.record(z.string(), z.unknown()) });

export function slurmRest(options: SlurmRestOptions): SlurmRest {
  const base = options.url.replace(/\/+$/, "");
  let agreed: string | null = options.version ?? null;

  async function send(method: "GET" | "POST", path: string, body?: unknown): Promise<Result<HttpAnswer, SourceError>> {
    const answer = await sendRequest({
      url: `${base}${path}`,
      method,
      headers: {
        "x-slurm-user-name": options.user,
        "x-slurm-user-token": options.token(),
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    });
    if (!answer.ok) return answer;
    const error = restError(answer.value, `${method} ${withoutSecrets(base)}${path}`);
    return error === null ? answer : err(error);
  }

  async function version(): Promise<Result<string, SourceError>> {
    if (agreed !== null) return ok(agreed);
    const answer = await send("GET", "/openapi/v3");
    if (!answer.ok) return answer;
    const found = newestVersion(answer.value.bytes);
    if (found === null) {
      const because = `${withoutSecrets(base)} offers no version between v0.0.${OLDEST} and v0.0.${NEWEST}.`;
      return err({ code: "unsupported_version", because });
    }
    agreed = found;
    return ok(found);
  }

  return {
    version,
    async ask(method, path, body) {
      const known = await version();
      if (!known.ok) return known;
      const full = `/slurm/${known.value}/${path}`;
      const answer = await send(method, full, body);
      if (answer.ok) return ok({ bytes: answer.value.bytes, request: `${method} ${withoutSecrets(base)}${full}`, version: known.value });
      // the server may have been upgraded under us: find out again next time
      if (answer.error.code === "unsupported_version" && options.version === undefined) agreed = null;
      return answer;
    },
  };
}

/** The newest version among the paths of an OpenAPI document that there is a reader for. */
function newestVersion(bytes: Uint8Array): string | null {
  const offered = parseOffered(bytes);
  const numbers = offered.map((path) => /^\/slurm\/v0\.0\.(\d{2})(?:\/|$)/.exec(path)?.[1]).map(Number);
  const newest = Math.max(...numbers.filter((number) => number >= OLDEST && number <= NEWEST));
  return Number.isFinite(newest) ? `v0.0.${newest}` : null;
}

function parseOffered(bytes: Uint8Array): readonly string[] {
  try {
    const document = Offered.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    return document.success ? Object.keys(document.data.paths) : [];
  } catch (cause) {
    if (cause instanceof SyntaxError) return [];
    throw cause;
  }
}

/** Node updates exist from v0.0.39. */
export const canUpdateNodes = (version: string): boolean => Number(version.split(".")[2]) >= 39;
