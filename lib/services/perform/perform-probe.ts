import type { CommandRequest } from "@/lib/core/change/command-request";
import type { ClaimedCommand, NewObservation } from "@/lib/ports/store";
import type { ClusterWorld, Hashing } from "../deps";
import { reportHost, type Reported } from "../host-report";
import { done, fromError, unknown, type Performed } from "./performed";
import { unique } from "./perform-save";

type Request = Extract<CommandRequest, { kind: "probe" }>;
type Part = { readonly world: ClusterWorld; readonly hash: Hashing; readonly now: () => Promise<Date>; readonly observer: string };

/**
 * Asks the host what it runs. The boot id is read before and after: a report that spans a reboot belongs to no boot and is not kept.
 */
export async function performProbe(part: Part, command: ClaimedCommand, request: Request, timeoutMs: number): Promise<Performed> {
  const observedAt = await part.now();
  const first = await part.world.shell.bootId({ node: request.node });
  if (!first.ok) return fromError(`could not ask ${request.node}`, first.error);
  const reported = await reportHost({ shell: part.world.shell, hash: part.hash }, request.node, request.components, timeoutMs);
  const last = await part.world.shell.bootId({ node: request.node });
  if (!last.ok) return fromError(`${request.node} went away while it was asked`, last.error);
  if (last.value !== first.value) return unknown(`${request.node} rebooted while it was asked; ask again`);
  const { subjectId } = command;
  if (subjectId === null) return unknown(`${request.node} is not in the inventory`);
  const evidence = unique(reported.flatMap((one) => (one.evidence === null ? [] : [one.evidence])));
  const observations = reported.map((one) => toObservation(one, { command, subjectId, observedAt, observer: part.observer }));
  const says = reported.map((one) => `${one.component} ${one.text ?? `unreadable (${one.because})`}`).join(", ");
  return done(
    `${request.node} says: ${says || "its boot id"}`,
    { bootId: last.value },
    { evidence, observations, boots: [{ subjectId, bootId: last.value, bootedAt: null }] },
  );
}

/** The epochs are those read before the request was sent; the store raises them if the boot id turns out to be new. */
export function toObservation(
  one: Reported,
  from: {
    readonly command: Pick<NewObservation, "hostEpoch" | "changeId">;
    readonly subjectId: NewObservation["subjectId"];
    readonly observedAt: Date;
    readonly observer: string;
  },
): NewObservation {
  return {
    subjectId: from.subjectId,
    field: "host_report",
    component: one.component,
    source: "ssh",
    kind: one.kind,
    text: one.text,
    value: one.kind === "value" ? { text: one.text } : { because: one.because },
    hostEpoch: from.command.hostEpoch,
    modelEpoch: 0,
    observedAt: from.observedAt,
    request: one.request,
    observer: from.observer,
    evidenceSha: one.evidence?.sha256 ?? null,
    changeId: from.command.changeId,
  };
}
