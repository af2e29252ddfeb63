/** Everything that anybody outside can do to the data centre. Kept as text in the journal and replayed after a crash. */
import type { LastingSetting, SuddenSetting } from "./faults";
import type { JobRequest } from "./job-transitions";
import type { Part, Reservation } from "./state";

type OnNode = { readonly cluster: string; readonly node: string };
type By = { readonly user: string };

export type WorldEvent =
  | ({ readonly type: "drain" | "take-down" | "change-reason"; readonly reason: string } & OnNode & By)
  | ({ readonly type: "resume" } & OnNode & By)
  | ({
      readonly type: "order-reboot";
      readonly asap: boolean;
      readonly nextState: "RESUME" | "DOWN" | null;
      readonly reason: string | null;
    } & OnNode &
      By)
  | ({ readonly type: "cancel-reboot" | "power-cycle" } & OnNode)
  | { readonly type: "submit"; readonly cluster: string; readonly job: JobRequest }
  | { readonly type: "cancel"; readonly cluster: string; readonly id: number }
  | {
      readonly type: "job-ended";
      readonly cluster: string;
      readonly id: number;
      readonly exitCode: number;
      readonly signal: number;
      readonly lost: boolean;
    }
  | { readonly type: "reserve"; readonly cluster: string; readonly reservation: Reservation }
  | {
      readonly type: "update-reservation";
      readonly cluster: string;
      readonly name: string;
      readonly endAt?: number;
      readonly durationS?: number;
    }
  | { readonly type: "unreserve"; readonly cluster: string; readonly name: string }
  | ({ readonly type: "begin-update"; readonly part: Part; readonly version: string } & OnNode)
  | ({ readonly type: "end-update"; readonly succeeded: boolean } & OnNode)
  | {
      readonly type: "set-fault";
      readonly cluster: string | null;
      readonly node: string | null;
      readonly setting: LastingSetting | SuddenSetting;
      readonly until: number | null;
    }
  | { readonly type: "clear-fault"; readonly cluster: string | null; readonly node: string | null; readonly kind: string | null }
  /** Only for the record: something ran on a node. */
  | { readonly type: "note" };
