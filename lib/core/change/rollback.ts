import type { Known } from "@/lib/core/config-state/observation";

export type RollbackState = { readonly failedBatches: number; readonly streak: number; readonly committedAt: Date | null };
export type RollbackComponent = {
  readonly name: string;
  readonly capability: "tested" | "untested" | "impossible";
  readonly acceptedUntested: boolean;
  readonly savedVersion: string | null;
  readonly fetchable: Known<boolean>;
};
/** Only these get a command. Anything else left over makes the rollback "not succeeded". */
export const mayRollBack = (c: RollbackComponent): boolean =>
  c.capability === "tested" || (c.capability === "untested" && c.acceptedUntested);
