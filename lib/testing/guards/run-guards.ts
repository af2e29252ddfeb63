import { formattingGuard } from "./formatting";
import { faultsOf, type Guard } from "./guard";
import { importsGuard } from "./imports";
import { lintGuard, purityGuard } from "./lint";
import { structureGuard } from "./structure";
import { coreTypesGuard, typesGuard } from "./type-check";
import { unusedExportsGuard } from "./unused-exports";

const GUARDS: readonly Guard[] = [
  structureGuard,
  importsGuard,
  purityGuard,
  coreTypesGuard,
  typesGuard,
  lintGuard,
  formattingGuard,
  unusedExportsGuard,
];
const SHOWN = 60;

/** Runs the guards whose names are given (all without names) and prints one line each; true when every one was clean. */
export async function runGuards(names: readonly string[], root: string): Promise<boolean> {
  const unknown = names.filter((name) => !GUARDS.some((guard) => guard.name === name));
  if (unknown.length > 0) {
    console.error(`No guard is called "${unknown.join('", "')}". There are: ${GUARDS.map(({ name }) => name).join(", ")}.`);
    return false;
  }
  let clean = true;
  for (const guard of GUARDS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    if (!(await runGuard(guard, root))) clean = false;
  }
  return clean;
}

async function runGuard(guard: Guard, root: string): Promise<boolean> {
  const begun = performance.now();
  const seen = await guard.look(root).catch((cause: unknown) => ({ looked: 0, faults: [`could not look: ${String(cause)}`] }));
  const faults = faultsOf(seen);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(
    `${faults.length === 0 ? "ok  " : "FAIL"} ${guard.name.padEnd(15)} ${`${seen.looked} ${guard.unit}`.padStart(13)} ${seconds.padStart(6)} s`,
  );
  for (const fault of faults.slice(0, SHOWN)) console.log(`     ${fault}`);
  if (faults.length > SHOWN) console.log(`     and ${faults.length - SHOWN} more`);
  return faults.length === 0;
}
