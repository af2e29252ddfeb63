import type { z } from "zod";
import { forbiddenCharacter } from "@/lib/core/kernel/forbidden-character";
import { err, ok, type Result } from "@/lib/core/kernel/result";

/** How much of a fault, and how many faults, are told: the input chooses the names in them. */
const MOST_WORDS = 300;
const MOST_PLACES = 20;
const MOST_DEPTH = 32;

/** What somebody asked for, as a map of fields. Text that cannot be kept as it was written is a fault at its place, not something to mend silently. */
export function readInput(input: unknown): Result<Readonly<Record<string, unknown>>, readonly string[]> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return err(["the body: must be a map of fields"]);
  const places: string[] = [];
  lookThrough(input, "", 0, places);
  return places.length > 0 ? err(places) : ok(input as Record<string, unknown>);
}

/** Where zod found what, one line each. */
export const placesOf = (issues: readonly z.core.$ZodIssue[]): readonly string[] =>
  issues.slice(0, MOST_PLACES).map((issue) => `${issue.path.join(".") || "the body"}: ${issue.message.slice(0, MOST_WORDS)}`);

function lookThrough(value: unknown, path: string, depth: number, places: string[]): void {
  if (places.length >= MOST_PLACES) return;
  const where = path.slice(0, MOST_WORDS) || "the body";
  if (typeof value === "string") {
    const bad = forbiddenCharacter(value);
    if (bad !== null) places.push(`${where}: the character ${bad.code} is not allowed`);
  } else if (typeof value === "object" && value !== null) {
    if (depth > MOST_DEPTH) places.push(`${where}: nested deeper than ${MOST_DEPTH} levels`);
    else
      for (const [key, inner] of Object.entries(value)) {
        const bad = forbiddenCharacter(key);
        if (bad === null) lookThrough(inner, path === "" ? key : `${path}.${key}`, depth + 1, places);
        else places.push(`${where}: a name holds the character ${bad.code}`);
      }
  }
}
