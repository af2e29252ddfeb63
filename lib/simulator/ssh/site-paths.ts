/** Where the simulated machines live on this one's disk. */
import { join } from "node:path";

export const HEAD = "head";

export type SitePaths = {
  readonly state: string;
  readonly bin: string;
  readonly run: string;
  readonly spool: string;
  readonly jobs: string;
  readonly nodeRoot: (cluster: string, node: string) => string;
};

export function sitePaths(stateDir: string): SitePaths {
  const run = join(stateDir, "run");
  return {
    state: stateDir,
    bin: join(stateDir, "bin"),
    run,
    spool: join(run, "spool"),
    jobs: join(stateDir, "jobs"),
    nodeRoot: (cluster, node) => join(stateDir, "nodes", cluster, node),
  };
}
