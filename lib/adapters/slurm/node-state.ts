import type { ServiceState } from "@/lib/core/node/service";

const BASES = new Set(["ALLOCATED", "DOWN", "ERROR", "FUTURE", "IDLE", "MIXED", "UNKNOWN"]);
const FLAGS = new Set([
  "BLOCKED",
  "CLOUD",
  "COMPLETING",
  "DRAIN",
  "DYNAMIC_FUTURE",
  "DYNAMIC_NORM",
  "EXTERNAL",
  "FAIL",
  "INVALID_REG",
  "MAINTENANCE",
  "NOT_RESPONDING",
  "PLANNED",
  "POWERED_DOWN",
  "POWERING_DOWN",
  "POWERING_UP",
  "POWER_DOWN",
  "POWER_UP",
  "POWER_DRAIN",
  "REBOOT_ISSUED",
  "REBOOT_REQUESTED",
  "REBOOT_CANCELED",
  "RESERVED",
  "RESUME",
  "UNDRAIN",
]);
/** Words of older releases and of sinfo, in today's. POWER (20.11) is "in power save". */
const SPELLED: Readonly<Record<string, readonly string[]>> = {
  ALLOC: ["ALLOCATED"],
  MIX: ["MIXED"],
  COMP: ["COMPLETING"],
  MAINT: ["MAINTENANCE"],
  NO_RESPOND: ["NOT_RESPONDING"],
  REBOOT: ["DOWN", "REBOOT_ISSUED"],
  POWER: ["POWER_SAVE"],
  RESV: ["RESERVED"],
  DRAINED: ["IDLE", "DRAIN"],
  DRAINING: ["ALLOCATED", "DRAIN"],
  FAILING: ["ALLOCATED", "FAIL"],
};
/** Signs glued to the base state by releases up to 20.11 and by sinfo. */
const SIGNS: Readonly<Record<string, string>> = {
  "*": "NOT_RESPONDING",
  "~": "POWERED_DOWN",
  "#": "POWERING_UP",
  "%": "POWERING_DOWN",
  $: "MAINTENANCE",
  "@": "REBOOT_REQUESTED",
  "^": "REBOOT_ISSUED",
  "!": "POWER_DOWN",
  "-": "PLANNED",
};

/** "DOWN*+CLOUD+POWER" or ["IDLE", "DRAIN"] as upper-case words: the base state first. */
export function stateWords(written: readonly string[]): string[] {
  const words: string[] = [];
  for (const part of written.flatMap((text) => text.toUpperCase().split("+"))) {
    const bare = part.replace(/[*~#%$@^!-]+$/, "");
    const spelled = SPELLED[bare] ?? (bare === "" ? [] : [bare]);
    const signs = [...part.slice(bare.length)].map((sign) => SIGNS[sign] ?? sign);
    for (const word of [...spelled, ...signs]) if (!words.includes(word)) words.push(word);
  }
  return words.sort((a, b) => Number(BASES.has(b)) - Number(BASES.has(a)));
}

/**
 * What the scheduler's words mean for us. DRAINED and DRAINING are no states of Slurm: drained is DRAIN on an idle or down base without COMPLETING and
 * without allocated CPUs; everything else with DRAIN is still draining (an epilog may hang). FAIL is an administrator's drain by another name.
 * A word nobody knows makes the state unknown: it may be the one that takes the node out.
 */
export function serviceStateOf(words: readonly string[], allocatedCpus: number): ServiceState {
  const has = (word: string) => words.includes(word);
  const bases = words.filter((word) => BASES.has(word));
  const base = bases[0];
  if (bases.length !== 1 || words.some((word) => !BASES.has(word) && !FLAGS.has(word) && word !== "POWER_SAVE")) return "unknown";
  if (base === "FUTURE") return "absent";
  if (has("POWERED_DOWN") || has("POWERING_DOWN") || (has("POWER_SAVE") && base !== "DOWN")) return "powered_down";
  const empty = allocatedCpus === 0 && !has("COMPLETING") && (base === "IDLE" || base === "DOWN");
  if (has("DRAIN") || has("FAIL")) return empty ? "drained" : "draining";
  if (has("POWER_DRAIN") || has("POWER_DOWN")) return empty ? "powered_down" : "draining";
  if (base === "DOWN" || base === "ERROR" || has("INVALID_REG") || has("REBOOT_ISSUED")) return "down";
  if (base === "UNKNOWN" || has("NOT_RESPONDING")) return "unknown";
  return "in_service";
}
