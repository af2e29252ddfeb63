import { assertNever } from "@/lib/core/kernel/result";
import type { CommandHandle } from "@/lib/core/change/command-request";
import type { ClaimedCommand } from "@/lib/ports/store";
import type { ClusterWorld, Hashing } from "../deps";
import { performDrain, performRelease } from "./perform-drain";
import { performHealth } from "./perform-health";
import { performReboot, performStart, performStartRun, performStop } from "./perform-long";
import { performProbe } from "./perform-probe";
import { performReserve, performUnreserve } from "./perform-reservation";
import { performSave } from "./perform-save";
import { already, type Performed } from "./performed";

type PerformPart = {
  readonly world: ClusterWorld;
  readonly hash: Hashing;
  readonly now: () => Promise<Date>;
  readonly pause: (ms: number) => Promise<void>;
  readonly observer: string;
  readonly storeHandle: (handle: CommandHandle) => Promise<"stored" | "late">;
  /** Handle of another command of the same change, for stopping it. */
  readonly handleOf: (key: string) => Promise<CommandHandle | null>;
};

/** One question or order to a host, in real time: these answer or do not. */
const ASK_TIMEOUT_MS = 30_000;

/** Does one command. Reads the real state first wherever doing it twice could matter; decides nothing. */
export async function perform(part: PerformPart, command: ClaimedCommand): Promise<Performed> {
  const { request } = command;
  switch (request.kind) {
    case "check_health":
      return await performHealth(part, request);
    case "save_versions":
      return await performSave(part, request, ASK_TIMEOUT_MS);
    case "protect":
    case "unprotect":
      return already("this cluster has nothing that would suspend or scale the node in");
    case "drain":
      return await performDrain(part, request);
    case "release":
      return await performRelease(part, request);
    case "reserve":
      return await performReserve(part, request);
    case "unreserve":
      return await performUnreserve(part, request);
    case "start_update":
    case "start_rollback":
      return await performStart(part, command, request);
    case "start_run":
      return await performStartRun(part, command, request);
    case "reboot":
      return await performReboot(part, command, request);
    case "probe":
      return await performProbe(part, command, request, ASK_TIMEOUT_MS);
    case "stop_update":
    case "stop_run":
      return await performStop(part, await part.handleOf(request.of));
    default:
      return assertNever(request);
  }
}
