import { z } from "zod";
import { sendRequest, withoutSecrets } from "@/lib/adapters/http/send-request";
import type { HttpAnswer } from "@/lib/adapters/http/send-request";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { Metrics } from "@/lib/ports/metrics";
import type { SourceError } from "@/lib/ports/source-error";
import { readInstant } from "./wire";

type PrometheusOptions = {
  /** Address before /api/v1, with the path prefix of the site if there is one. */
  readonly url: string;
  /** For every request, such as a tenant or an authorization; asked each time, never in an error or a record. */
  readonly headers?: () => Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
};

const BuildInfo = z.looseObject({ status: z.literal("success"), data: z.looseObject({ version: z.string().min(1).max(100) }) });

/** A metrics store with Prometheus' HTTP API. Queries go as POST, since one for 200 nodes is too long for an address. */
export function prometheusMetrics(options: PrometheusOptions): Metrics {
  const base = options.url.replace(/\/+$/, "");
  const called = (path: string): string => `${withoutSecrets(base)}${path}`;

  async function ask(method: "GET" | "POST", path: string, form?: Record<string, string>): Promise<Result<HttpAnswer, SourceError>> {
    const answer = await sendRequest({
      url: `${base}${path}`,
      method,
      headers: {
        accept: "application/json",
        ...options.headers?.(),
        ...(form ? { "content-type": "application/x-www-form-urlencoded" } : {}),
      },
      body: form ? new URLSearchParams(form).toString() : undefined,
      timeoutMs: options.timeoutMs,
      maxBytes: options.maxBytes,
    });
    if (!answer.ok) return answer;
    const { status } = answer.value;
    if (status === 401 || status === 403) {
      return err({ code: "denied", because: `${called(path)} refused the request (HTTP ${status}). Check the headers configured for it.` });
    }
    return answer;
  }

  return {
    async ping() {
      const path = "/api/v1/status/buildinfo";
      const answer = await ask("GET", path);
      if (!answer.ok) return answer;
      if (answer.value.status !== 200)
        return err({ code: "unreachable", because: `${called(path)} answered HTTP ${answer.value.status}.` });
      const version = versionIn(answer.value.bytes);
      return version === null
        ? err({ code: "unreadable", because: `${called(path)} did not name its version. Is it Prometheus?` })
        : ok({ version });
    },

    async instant(query) {
      const path = "/api/v1/query";
      const answer = await ask("POST", path, { query });
      if (!answer.ok) return answer;
      const { status, bytes } = answer.value;
      const read = readInstant(bytes);
      if (status !== 200) {
        // an error body names the fault; an error status with data beside it must not be used as data
        if (!read.ok && read.error.code !== "unreadable") return read;
        const code = status === 404 ? "refused" : status >= 500 ? "unreachable" : "refused";
        return err({ code, because: `${called(path)} answered HTTP ${status}.` });
      }
      if (!read.ok) return read;
      return ok({ samples: read.value.samples, warnings: read.value.warnings, raw: bytes, request: `POST ${called(path)} query=${query}` });
    },
  };
}

function versionIn(bytes: Uint8Array): string | null {
  try {
    const info = BuildInfo.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    return info.success ? info.data.data.version : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null; // not JSON: the caller says so
    throw cause;
  }
}
