import { z } from "zod";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";
import { readJsonText } from "@/lib/parsers/json-text";

const OLDEST = 36;
const NEWEST = 45;
const VendorError = z.looseObject({
  error: z.string().nullish(),
  description: z.string().nullish(),
  errno: z.number().nullish(),
  error_code: z.number().nullish(),
  error_number: z.number().nullish(),
});
const Document = z.looseObject({
  meta: z.looseObject({ plugin: z.looseObject({ type: z.string().nullish(), data_parser: z.string().nullish() }).nullish() }).nullish(),
  errors: z.array(z.unknown()).nullish(),
  warnings: z.array(z.unknown()).nullish(),
});
/** What the scheduler's own error numbers mean for us; every other one is unreadable. */
const CODES: Readonly<Record<number, SourceError["code"]>> = {
  1007: "denied",
  2002: "denied",
  2017: "not_found",
  2018: "not_found",
  2009: "not_found",
};

type Envelope = { readonly entries: readonly unknown[]; readonly version: string; readonly warnings: readonly string[] };

/** The envelope all JSON answers share: a version we know, no errors, the list under `key`. */
export function readDocument(bytes: Uint8Array, key: "nodes" | "jobs", askedVersion: string | undefined): Result<Envelope, SourceError> {
  const json = readJsonText(bytes);
  if (!json.ok) return err({ code: "unreadable", because: `scheduler answer not understood: ${json.error.because}` });
  const document = Document.safeParse(json.value);
  if (!document.success) return err({ code: "unreadable", because: "scheduler answer not understood: not an object with meta and errors" });
  const { meta, errors, warnings } = document.data;
  const entries = (document.data as Record<string, unknown>)[key];
  if (errors && errors.length > 0) return err(errorOf(errors, Array.isArray(entries) && entries.length > 0));
  const written = [meta?.plugin?.data_parser, meta?.plugin?.type, askedVersion].find((text) => /v\d+\.\d+\.\d+/.test(text ?? ""));
  const version = /v(\d+)\.(\d+)\.(\d+)/.exec(written ?? "");
  if (!version) return err({ code: "unsupported_version", because: "unsupported scheduler JSON version: the answer names none" });
  const [, major, minor, patch] = version.map(Number);
  if (major !== 0 || minor !== 0 || patch === undefined || patch < OLDEST || patch > NEWEST)
    return err({
      code: "unsupported_version",
      because: `unsupported scheduler JSON version ${version[0]}: readers exist for v0.0.${OLDEST} to v0.0.${NEWEST}`,
    });
  if (!Array.isArray(entries)) return err({ code: "unreadable", because: `scheduler answer not understood: no list "${key}"` });
  return ok({ entries, version: version[0], warnings: (warnings ?? []).map(sayError) });
}

/** An error beside entries makes them partial; alone it is the answer, and never "no nodes" or "no jobs". */
function errorOf(errors: readonly unknown[], besideEntries: boolean): SourceError {
  const because = `the scheduler reports: ${errors.slice(0, 3).map(sayError).join("; ")}`;
  if (besideEntries) return { code: "partial", because };
  const first = VendorError.safeParse(errors[0]);
  const number = first.success ? (first.data.error_number ?? first.data.error_code ?? first.data.errno) : null;
  return { code: (number !== null && number !== undefined && CODES[number]) || "unreadable", because };
}

function sayError(entry: unknown): string {
  const error = VendorError.safeParse(entry);
  if (!error.success) return JSON.stringify(entry).slice(0, 300);
  const { error: name, description, errno, error_code, error_number } = error.data;
  const number = error_number ?? error_code ?? errno;
  return `${[name, description].filter((text) => text).join(": ") || "error"}${number === null || number === undefined ? "" : ` (${number})`}`.slice(
    0,
    300,
  );
}
