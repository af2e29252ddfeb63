import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";

type HttpRequest = {
  readonly url: string;
  readonly method?: "GET" | "POST" | "DELETE";
  /** May hold secrets: never part of an error or a record. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whole exchange, last byte included. Default 30 s. */
  readonly timeoutMs?: number;
  /** Default 16 MiB; a longer answer is refused, never cut. */
  readonly maxBytes?: number;
  /** Whom the errors name, when the address itself is a secret. Default: method and address without user, password and query. */
  readonly called?: string;
};
export type HttpAnswer = { readonly status: number; readonly contentType: string; readonly bytes: Uint8Array };

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/**
 * One exchange over HTTP with a deadline and a size limit; redirects are not followed, because a redirect could carry the
 * token to another host. Any status is an answer: what 404 or 500 mean is the caller's to say.
 */
export async function sendRequest(request: HttpRequest): Promise<Result<HttpAnswer, SourceError>> {
  const called = request.called ?? `${request.method ?? "GET"} ${withoutSecrets(request.url)}`;
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  try {
    const response = await fetch(request.url, {
      method: request.method ?? "GET",
      headers: request.headers,
      body: request.body,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status >= 300 && response.status < 400 && response.status !== 304) {
      await response.body?.cancel();
      return err({
        code: "refused",
        because: `${called} answered with a redirect (${response.status}), which is not followed. Configure the final address.`,
      });
    }
    const bytes = await readLimited(response, request.maxBytes ?? DEFAULT_MAX_BYTES);
    if (bytes === null) {
      const because = `${called} answered with more than ${request.maxBytes ?? DEFAULT_MAX_BYTES} bytes; the answer was not read.`;
      return err({ code: "unreadable", because });
    }
    return ok({ status: response.status, contentType: response.headers.get("content-type") ?? "", bytes });
  } catch (cause) {
    return err(sourceErrorOf(cause, called, timeoutMs));
  }
}

/** Address without user, password, query and fragment, for errors and records. */
export function withoutSecrets(address: string): string {
  if (!URL.canParse(address)) return "an address that cannot be read";
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

async function readLimited(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let total = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    total += value.byteLength;
    if (total > maxBytes) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, total);
}

function sourceErrorOf(cause: unknown, called: string, timeoutMs: number): SourceError {
  if (cause instanceof Error && (cause.name === "TimeoutError" || cause.name === "AbortError")) {
    return { code: "timed_out", because: `${called} did not answer within ${timeoutMs} ms. Whatever it was asked may still happen.` };
  }
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const word = inner instanceof Error ? ((inner as NodeJS.ErrnoException).code ?? inner.name) : "unknown error";
  return { code: "unreachable", because: `${called} cannot be reached (${word}). Check address, network and whether the service runs.` };
}
