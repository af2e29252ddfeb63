/** What Slurm answers to a request that it does not carry out: its error number and its words. */
export type Refusal = { readonly errno: number; readonly text: string };

export const REFUSALS = {
  invalidNode: { errno: 2018, text: "Invalid node name specified" },
  invalidNodeState: { errno: 2019, text: "Invalid node state specified" },
  noReason: { errno: 2019, text: "You must specify a reason when DOWNING or DRAINING a node. Request denied" },
  invalidJob: { errno: 2017, text: "Invalid job id specified" },
  alreadyDone: { errno: 2021, text: "Job/step already completing or completed" },
  invalidPartition: { errno: 2000, text: "Invalid partition name specified" },
  invalidReservation: { errno: 2050, text: "Requested reservation is invalid" },
  duplicateReservation: { errno: 2052, text: "Duplicate reservation name" },
  reservationBusy: { errno: 2054, text: "Requested reservation is in use" },
  reservationAccess: { errno: 2051, text: "Access denied to requested reservation" },
  nodesBusy: { errno: 2016, text: "Requested nodes are busy" },
  invalidUser: { errno: 2010, text: "Invalid user id" },
  installationRunning: { errno: 0, text: "another installation is running on this node" },
} as const satisfies Record<string, Refusal>;
