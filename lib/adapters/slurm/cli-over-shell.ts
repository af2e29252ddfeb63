import type { NodeShell } from "@/lib/ports/node-shell";
import { CLI_ENVIRONMENT, CLI_MAX_BYTES, CLI_TIMEOUT_MS } from "./slurm-cli";
import type { SlurmCli } from "./slurm-cli";

/** Slurm's programs on the cluster's head host. `quote` makes one safe shell line of an argument vector. */
export function cliOverShell(
  shell: Pick<NodeShell, "run">,
  quote: (argv: readonly string[]) => string,
  env: Readonly<Record<string, string>> = {},
): SlurmCli {
  const assignments = Object.entries({ ...env, ...CLI_ENVIRONMENT }).map(([name, value]) => `${name}=${value}`);
  return {
    run(argv, stdin) {
      const line = quote(["env", ...assignments, ...argv]);
      // "scancel 5" must not become "scancel 5</dev/null", which redirects descriptor 5
      const fed = stdin === undefined || stdin === "" ? `${line} </dev/null` : `${quote(["printf", "%s", stdin])} | ${line}`;
      return shell.run({ head: true }, fed, { timeoutMs: CLI_TIMEOUT_MS, maxBytes: CLI_MAX_BYTES });
    },
  };
}
