import { forbiddenCharacter } from "@/lib/core/kernel/forbidden-character";

/** A name has at most 253 characters, the id of a check at most 512. */
const LONGEST = 512;
const MOST = 20;

/** What is wrong with a query string of which only these names may stand, once each; one line per fault, naming the place. */
export function queryFaults(given: URLSearchParams, known: readonly string[]): readonly string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [name, value] of given) {
    const where = `?${JSON.stringify(name.slice(0, 60)).slice(1, -1)}`;
    const bad = forbiddenCharacter(value);
    if (!known.includes(name)) faults.push(`${where}: is not known here; known: ${known.join(", ") || "none"}`);
    else if (seen.has(name)) faults.push(`${where}: stands twice`);
    else if (value.length > LONGEST) faults.push(`${where}: longer than ${LONGEST} characters`);
    else if (bad !== null) faults.push(`${where}: the character ${bad.code} is not allowed`);
    seen.add(name);
    if (faults.length >= MOST) break;
  }
  return faults;
}
