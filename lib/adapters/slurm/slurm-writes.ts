import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { Scheduler } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";
import { checkName, checkNames, printable } from "./names";
import { runProgram } from "./run-program";
import type { SlurmCli } from "./slurm-cli";
import type { SlurmOptions } from "./slurm-options";
import { canUpdateNodes } from "./slurm-rest";
import type { SlurmRest } from "./slurm-rest";

const MINUTE_MS = 60_000;
const MAX_REASON = 1000;

type NodeWrites = Pick<Scheduler, "drain" | "resume" | "reboot">;
type ReservationWrites = Pick<Scheduler, "reserve" | "unreserve">;

/** One node per call: in a list Slurm changes some of the nodes and then reports an error. */
export function nodeWrites(rest: SlurmRest | null, cli: SlurmCli): NodeWrites {
  const update = async (node: string, state: "DRAIN" | "RESUME", reason: string | null): Promise<Result<void, SourceError>> => {
    const checked = checkName("node", node);
    if (!checked.ok) return checked;
    const version = rest === null ? null : await rest.version();
    if (version !== null && !version.ok) return version;
    if (rest !== null && version !== null && canUpdateNodes(version.value)) {
      const answer = await rest.ask("POST", `node/${node}`, { state: [state], ...(reason === null ? {} : { reason }) });
      return answer.ok ? ok(undefined) : answer;
    }
    const reasonWord = reason === null ? [] : [`reason=${reason}`];
    return ended(await runProgram(cli, ["scontrol", "update", `nodename=${node}`, `state=${state.toLowerCase()}`, ...reasonWord]));
  };

  return {
    async drain(node, reason) {
      const clean = cleanReason(reason);
      return clean.ok ? update(node, "DRAIN", clean.value) : clean;
    },
    resume: (node) => update(node, "RESUME", null),
    async reboot(node, reason) {
      const [checked, words] = [checkName("node", node), printable(withoutReboots(reason ?? ""), MAX_REASON)];
      if (!checked.ok) return checked;
      return ended(await runProgram(cli, ["scontrol", "reboot", ...(words === "" ? [] : [`reason=${words}`]), node]));
    },
  };
}

export function reservationWrites(cli: SlurmCli, allowed: SlurmOptions["reservation"]): ReservationWrites {
  return {
    async reserve({ name, nodes, durationMs }) {
      const [checked, list, who] = [checkName("reservation", name), checkNames("node", nodes), whoMayRun(allowed)];
      if (!checked.ok) return checked;
      if (!list.ok) return list;
      if (!who.ok) return who;
      const minutes = Math.ceil(durationMs / MINUTE_MS);
      if (!(minutes >= 1)) return err({ code: "refused", because: `The reservation ${name} would last less than a minute.` });
      const settings = ["flags=MAINT,IGNORE_JOBS", ...who.value, "start=now", `duration=${minutes}`];
      const argv = ["scontrol", "create", "reservation", `reservationname=${name}`, `nodes=${list.value}`, ...settings];
      return ended(await runProgram(cli, argv));
    },
    async unreserve(name) {
      const checked = checkName("reservation", name);
      if (!checked.ok) return checked;
      return ended(await runProgram(cli, ["scontrol", "delete", `reservationname=${name}`]));
    },
  };
}

function whoMayRun(allowed: SlurmOptions["reservation"]): Result<readonly string[], SourceError> {
  const { users = [], accounts = [] } = allowed;
  if (users.length + accounts.length === 0) {
    return err({ code: "refused", because: "No user or account is configured for acceptance runs (slurm.reservation)." });
  }
  const [someUsers, someAccounts] = [
    users.length > 0 ? checkNames("user", users) : ok(""),
    accounts.length > 0 ? checkNames("account", accounts) : ok(""),
  ];
  if (!someUsers.ok) return someUsers;
  if (!someAccounts.ok) return someAccounts;
  return ok([
    ...(users.length > 0 ? [`users=${someUsers.value}`] : []),
    ...(accounts.length > 0 ? [`accounts=${someAccounts.value}`] : []),
  ]);
}

/** A drain's reason as somebody wrote it, ours or theirs, without what Slurm appended at an earlier reboot: it appends the same again. */
const withoutReboots = (reason: string): string =>
  reason.replace(/(^|\s*:\s*)reboot (requested|issued|complete|timed out)(?=\s*:|$)/gi, "").trim();

function cleanReason(reason: string): Result<string, SourceError> {
  const clean = printable(reason, MAX_REASON);
  return clean === "" ? err({ code: "refused", because: "A drain needs a reason; it was empty." }) : ok(clean);
}

const ended = (result: Result<unknown, SourceError>): Result<void, SourceError> => (result.ok ? ok(undefined) : result);
