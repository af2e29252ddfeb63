import type { Refusal } from "@/lib/services/refusal";

const STATUS: Record<Refusal["code"], number> = { not_found: 404, not_allowed: 403, closed: 409, invalid: 422, conflict: 409 };
const TITLE: Record<Refusal["code"], string> = {
  not_found: "There is no such thing",
  not_allowed: "Not allowed",
  closed: "This action is closed",
  invalid: "The input is not usable",
  conflict: "Changed by somebody else meanwhile",
};

/** RFC 9457 problem details. `code` is stable; `detail` is the sentence for people; `places` name where in the input. */
export function problem(status: number, code: string, title: string, detail: string, places: readonly string[] = []): Response {
  const body = { type: "about:blank", title, status, code, detail, ...(places.length > 0 ? { places } : {}) };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store" },
  });
}

export const refused = (why: Refusal): Response => problem(STATUS[why.code], why.code, TITLE[why.code], why.because, why.places);
