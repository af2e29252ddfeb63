import { closeSync, openSync, statSync } from "node:fs";

import type { Env } from "@/lib/env";

import { CannotStart } from "./cannot-start";

/** The files that the configuration names for SSH are there and can be read: found out now, not by the first part that needs one. */
export function requireSiteFiles({ clusters }: Pick<Env["config"], "clusters">): void {
  const faults = clusters.flatMap(({ id, ssh }) =>
    [["privateKey", ssh.privateKey.file] as const, ["knownHosts", ssh.knownHosts.file] as const].flatMap(([name, path]) => {
      const because = whyUnreadable(path);
      return because === null ? [] : [`The file ${path}, which cluster ${id} names as ssh.${name}, cannot be read: ${because}.`];
    }),
  );
  if (faults.length > 0) throw new CannotStart(faults.join("\n"));
}

function whyUnreadable(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return "it is not a file";
    closeSync(openSync(path, "r"));
    return null;
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
