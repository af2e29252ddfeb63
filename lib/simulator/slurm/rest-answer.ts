/** How slurmrestd wraps its answers. */
import type { Answer } from "@/lib/simulator/http-exchange";

import { slurmJson } from "./body";

const WORDS: Record<number, string> = {
  200: "OK",
  400: "BAD REQUEST",
  401: "UNAUTHORIZED",
  404: "NOT FOUND",
  405: "NOT ALLOWED",
  500: "INTERNAL ERROR",
};

export const restJson = (status: number, body: unknown): Answer => ({
  status,
  statusText: WORDS[status] ?? "",
  type: "application/json",
  body: slurmJson(body),
});
export const restText = (status: number, body: string): Answer => ({ status, statusText: WORDS[status] ?? "", type: "text/plain", body });

/** An entry of `errors[]` from v0.0.40 on. */
export const restError = (error: string, errno: number): Record<string, unknown> => ({
  description: error,
  error_number: errno,
  error,
  source: "slurmrestd",
});
