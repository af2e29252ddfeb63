import type { SlurmCli } from "./slurm-cli";
import type { SlurmRestOptions } from "./slurm-rest";

export type SlurmOptions = {
  /** Reads, and node updates where the version has them; null: everything by Slurm's programs. */
  readonly rest: SlurmRestOptions | null;
  /** Reservations, topology, reboots, jobs, and whatever REST has not. */
  readonly cli: SlurmCli;
  /** Who may run in the reservation in which nodes are accepted (R3.6). Jobs run under the first account, if there is one. */
  readonly reservation: { readonly users?: readonly string[]; readonly accounts?: readonly string[] };
};
