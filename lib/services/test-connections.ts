import { err, ok, type Result } from "@/lib/core/kernel/result";
import type { ShellHost } from "@/lib/ports/node-shell";
import type { SourceError } from "@/lib/ports/source-error";
import type { Deps } from "./deps";
import { refusal, type Refusal } from "./refusal";

const SHELL_LIMITS = { timeoutMs: 15_000, maxBytes: 4_096 } as const;
/** What Clearance may have to do on the site; trying it would do it. */
const NOT_TRIED = "drain, resume, reboot, reservation and jobs: not tried, because trying them would change the site";

/** One system's answer, or why there is none; `version` as it says it itself. */
type Connection = {
  readonly system: string;
  readonly good: boolean;
  readonly version: string | null;
  readonly told: string;
};

/**
 * Asks every system of a cluster now, reading only: which version answers and which of its reads are allowed. What is not configured is said, what
 * would change something is named as not tried. At most 15 s a system, side by side.
 */
export async function testConnections(
  deps: Pick<Deps, "world" | "store">,
  clusterId: string,
): Promise<Result<readonly Connection[], Refusal>> {
  const world = deps.world(clusterId);
  if (world === null) return err(refusal("not_found", `There is no cluster ${clusterId} in the configuration.`));
  const node = (await deps.store.inventory(clusterId)).find(({ role, service }) => role === "compute" && service !== "down")?.name ?? null;
  const asked: readonly Promise<Connection>[] = [
    schedulerOf(world.scheduler),
    metricsOf(world.metrics),
    shellOf(world.shell, { head: true }, "SSH, head host"),
    ...(node === null ? [] : [shellOf(world.shell, { node }, `SSH, ${node}`)]),
  ];
  return ok(await Promise.all(asked));
}

type World = NonNullable<ReturnType<Deps["world"]>>;

async function schedulerOf(scheduler: World["scheduler"]): Promise<Connection> {
  const system = "Scheduler";
  const ping = await scheduler.ping();
  if (!ping.ok) return silent(system, ping.error);
  const [nodes, jobs, topology] = await Promise.all([scheduler.listNodes(), scheduler.listJobs(), scheduler.readTopology()]);
  const reads = [
    right("read nodes", nodes, (list) => `${list.entries.length} nodes`),
    right("read jobs", jobs, (list) => `${list.entries.length} jobs`),
    right("read topology", topology, (found) => (found === null ? "it has none" : `${found.leaves.length} leaves`)),
  ];
  return { system, version: ping.value.version, good: nodes.ok && jobs.ok && topology.ok, told: `${reads.join("; ")}; ${NOT_TRIED}` };
}

async function metricsOf(metrics: World["metrics"]): Promise<Connection> {
  const system = "Prometheus";
  if (metrics === null) return { system, version: null, good: false, told: "not configured: whatever needs telemetry here is unresolved" };
  const ping = await metrics.ping();
  if (!ping.ok) return silent(system, ping.error);
  const up = await metrics.instant("up");
  const told = right("query", up, ({ samples }) => `${samples.length} targets`);
  return { system, version: ping.value.version, good: up.ok, told };
}

/** The boot id, by which a reboot is proved, is wanted of nodes only. */
async function shellOf(shell: World["shell"], host: ShellHost, system: string): Promise<Connection> {
  const [ran, boot] = await Promise.all([shell.run(host, "uname -sr", SHELL_LIMITS), "node" in host ? shell.bootId(host) : null]);
  if (!ran.ok) return silent(system, ran.error);
  const version = new TextDecoder().decode(ran.value.stdout).trim().slice(0, 100);
  const { exitCode, signal } = ran.value;
  const runs = exitCode === 0 ? "run commands: yes" : `run commands: ended with ${exitCode ?? signal}`;
  const told = boot === null ? runs : `${runs}; ${right("read the boot id", boot, () => "it has one")}`;
  return { system, version: version === "" ? null : version, good: exitCode === 0 && boot?.ok !== false, told };
}

const silent = (system: string, { because }: SourceError): Connection => ({ system, version: null, good: false, told: because });

function right<T>(name: string, answer: Result<T, SourceError>, seen: (value: T) => string): string {
  return answer.ok ? `${name}: yes, ${seen(answer.value)}` : `${name}: no, ${answer.error.because}`;
}
