/**
 * The ports of a data centre, kept in its folder. The first start takes a free run of ports below the range from which systems take the
 * local ends of outgoing connections; later starts use the same ones.
 */
import { randomInt } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { listen } from "./http-exchange";

const LOWEST = 15_000;
const HIGHEST = 32_000;
const SPARE = 16;

export type Ports = { readonly of: (name: string) => number };

/** Names in the order in which they get their ports; with `first` the control port and those after it are demanded. */
export async function openPorts(stateDir: string, names: readonly string[], first?: number): Promise<Ports> {
  const file = join(stateDir, "ports.json");
  const kept: Record<string, number> = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, number>) : {}; // ours
  const missing = names.filter((name) => kept[name] === undefined);
  if (missing.length > 0) {
    const base = await chooseBase(missing.length + SPARE, Object.keys(kept).length === 0 ? first : undefined);
    missing.forEach((name, i) => (kept[name] = base + i));
  }
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(kept));
    renameSync(`${file}.new`, file);
  };
  save();
  return {
    of: (name) => {
      const known = kept[name];
      if (known !== undefined) return known;
      const next = Math.max(...Object.values(kept)) + 1;
      kept[name] = next;
      save();
      return next;
    },
  };
}

async function chooseBase(count: number, demanded: number | undefined): Promise<number> {
  if (demanded !== undefined) return demanded; // a taken port is named when it is opened
  for (let attempt = 0; attempt < 50; attempt++) {
    const base = randomInt(LOWEST, HIGHEST - count);
    if (await allFree(base, count)) return base;
  }
  throw new Error(`no ${count} free ports in a row between ${LOWEST} and ${HIGHEST}`);
}

async function allFree(base: number, count: number): Promise<boolean> {
  const probes = Array.from({ length: count }, () => createServer());
  try {
    await Promise.all(probes.map((probe, i) => listen(probe, base + i)));
    return true;
  } catch {
    return false; // one of them is taken: another base is tried
  } finally {
    await Promise.all(probes.map((probe) => new Promise((done) => probe.close(done))));
  }
}
