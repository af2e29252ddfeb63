import type { TargetId } from "@/lib/core/kernel/ids";

/** Something of ours in the outside world. `prior` is what was there before and is put back; an open one keeps the change open. */
export type ObligationKind =
  | "drain"
  | "cordon"
  | "reservation"
  | "loan"
  | "keep_alive"
  | "suspend_exclusion"
  | "instance_protection"
  | "scale_out_stop"
  | "silence"
  | "relaxed_limit";
export type Obligation = {
  readonly id: string;
  readonly kind: ObligationKind;
  readonly on: string;
  readonly targetId: TargetId | null;
  readonly name: string;
  readonly prior: unknown;
  readonly since: Date;
  readonly endsAt: Date | null;
};
