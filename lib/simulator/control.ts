/** The hand on the simulated data centre: state, journal, faults, time. Loopback only, and only under a loopback name. */
import type { Server } from "node:http";

import { z } from "zod";

import type { DataCentre } from "./data-centre";
import { jsonAnswer, serveHttp, type Answer, type Question } from "./http-exchange";
import type { JournalEntry, JournalRecord } from "./journal";
import { viewSite } from "./slurm/site-view";
import { expandHosts } from "./world/hostlist";
import { CLUSTER_WIDE, isLasting, LASTING_NAMES, readSetting, SUDDEN_NAMES } from "./world/faults";

const FaultBody = z
  .looseObject({
    fault: z.string(),
    cluster: z.string().optional(),
    node: z.string().optional(),
    until: z
      .number()
      .or(z.iso.datetime({ offset: true }))
      .optional(),
    clear: z.boolean().optional(),
  })
  .transform(({ fault, cluster, node, until, clear, ...params }) => ({ fault, cluster, node, until, clear: clear === true, params }));

const TimeBody = z.strictObject({
  factor: z.number().positive().max(100_000).optional(),
  shown: z
    .number()
    .or(z.iso.datetime({ offset: true }))
    .optional(),
  reload: z.boolean().optional(),
});

export function createControl(centre: DataCentre, directory: () => unknown): Server {
  return serveHttp(async (question) => {
    const host = (question.headers.host ?? "").replace(/:\d+$/, "");
    if (!["127.0.0.1", "localhost", "[::1]"].includes(host)) return problem(403, `this control answers only as 127.0.0.1, not as ${host}`);
    if (question.headers.origin !== undefined) return problem(403, "this control is not for browsers");
    return route(centre, directory, question);
  });
}

async function route(centre: DataCentre, directory: () => unknown, question: Question): Promise<Answer> {
  const { pathname, searchParams } = question.url;
  const call = `${question.method} ${pathname}`;
  if (call === "GET /_control/state") return jsonAnswer(200, describe(centre));
  if (call === "GET /_control/directory") return jsonAnswer(200, directory());
  if (call === "GET /_control/journal") {
    const after = Number(searchParams.get("after") ?? "0");
    return Number.isInteger(after) ? jsonAnswer(200, entries(centre, after)) : problem(400, "after: a number is expected");
  }
  if (call === "GET /_control/faults")
    return jsonAnswer(200, { active: centre.settle().faults, known: { lasting: LASTING_NAMES, sudden: SUDDEN_NAMES } });
  if (call === "DELETE /_control/faults") return clearAll(centre);
  if (call === "POST /_control/faults") return changeFault(centre, parseJson(question.body));
  if (call === "POST /_control/time") return changeTime(centre, parseJson(question.body));
  return problem(404, `no ${call} here; see lib/simulator/README.md`);
}

function describe(centre: DataCentre): unknown {
  const state = centre.settle();
  const now = centre.clock.now();
  const views = state.description.clusters.flatMap((cluster) => viewSite(state, cluster.name, now).nodes);
  return {
    now: new Date(now * 1000).toISOString(),
    factor: centre.clock.factor(),
    clockProblem: centre.clock.problem(),
    nodes: views.map(({ node, base, flags, jobs, reservation }) => ({
      cluster: node.cluster,
      name: node.name,
      state: base,
      flags,
      reason: node.reason?.text ?? null,
      power: node.power.on ? "on" : "off",
      bootId: node.bootId,
      bootedAt: new Date(node.bootedAt * 1000).toISOString(),
      driver: node.versions.driver,
      kernel: node.versions.kernel,
      firmware: node.versions.firmware,
      updating: node.update,
      jobs: jobs.map((job) => job.id),
      reservation,
    })),
    jobs: Object.values(state.jobs).map(({ script: _, ...job }) => job),
    reservations: Object.values(state.reservations),
    faults: state.faults,
    journal: entries(centre, 0),
  };
}

function entries(centre: DataCentre, after: number): JournalEntry[] {
  return centre.journal.records.filter((r) => r.seq > after && r.via !== "simulator").map(shown);
}

function shown({ now: _now, event: _event, ticket: _ticket, ...entry }: JournalRecord): JournalEntry {
  return entry;
}

function changeFault(centre: DataCentre, raw: unknown): Answer {
  const body = FaultBody.safeParse(raw);
  if (!body.success) return faultProblem(body.error.issues.map((i) => `${i.path.join(".") || "body"}: ${i.message}`).join("; "));
  const { fault, cluster, node, until, clear, params } = body.data;
  const state = centre.settle();
  if (![...LASTING_NAMES, ...SUDDEN_NAMES].some((name) => name === fault)) return faultProblem(`unknown fault "${fault}"`);
  if (cluster !== undefined && !state.description.clusters.some((c) => c.name === cluster))
    return faultProblem(`unknown cluster "${cluster}"`);
  if (cluster === undefined && !fault.startsWith("prometheus-")) return faultProblem("cluster: needed for this fault");
  const nodes = node === undefined ? [null] : expandHosts(node);
  if (nodes === null) return faultProblem(`node: "${node}" is no host list`);
  const stranger = nodes.find((name) => name !== null && fault !== "new-node" && state.nodes[`${cluster}/${name}`] === undefined);
  if (stranger !== undefined && !clear) return faultProblem(`node: ${cluster} has no "${stranger}"`);
  const deed = { via: "control", cluster: cluster ?? null } as const;
  if (clear) {
    for (const name of nodes)
      centre.perform(
        { type: "clear-fault", cluster: cluster ?? null, node: name, kind: fault },
        { ...deed, what: "fault-cleared", detail: fault, node: name },
      );
    return jsonAnswer(200, { cleared: fault });
  }
  const setting = readSetting(fault, params);
  if (typeof setting === "string") return faultProblem(setting);
  if (node === undefined && !isLasting(setting)) return faultProblem("node: needed for this fault");
  if (node !== undefined && CLUSTER_WIDE.includes(fault)) return faultProblem("node: this fault is the whole cluster's");
  const untilSeconds = until === undefined ? null : typeof until === "number" ? until : Date.parse(until) / 1000;
  const done = nodes.map((name) =>
    centre.perform(
      { type: "set-fault", cluster: cluster ?? null, node: name, setting, until: untilSeconds },
      { ...deed, what: "fault", detail: `${fault} ${JSON.stringify(setting.params)}`, node: name },
    ),
  );
  const refused = done.find((d) => d.refused !== null)?.refused ?? null;
  return refused === null ? jsonAnswer(200, { fault, ids: done.map((d) => d.value) }) : faultProblem(refused.text);
}

function clearAll(centre: DataCentre): Answer {
  const event = { type: "clear-fault", cluster: null, node: null, kind: null } as const;
  const { value } = centre.perform(event, { via: "control", what: "fault-cleared", detail: "all", cluster: null, node: null });
  return jsonAnswer(200, { cleared: Number(value) });
}

async function changeTime(centre: DataCentre, raw: unknown): Promise<Answer> {
  const body = TimeBody.safeParse(raw);
  if (!body.success) return problem(400, body.error.issues.map((i) => `${i.path.join(".") || "body"}: ${i.message}`).join("; "));
  const { factor, shown: instant, reload } = body.data;
  if (reload === true) await centre.clock.reload();
  if (factor !== undefined || instant !== undefined) {
    const seconds = instant === undefined ? undefined : typeof instant === "number" ? instant : Date.parse(instant) / 1000;
    const owned = centre.clock.set({ ...(factor === undefined ? {} : { factor }), ...(seconds === undefined ? {} : { shown: seconds }) });
    if (!owned)
      return problem(409, "the clock belongs to the database that was given with SIMULATOR_CLOCK_URL: change it there, then reload");
  }
  return jsonAnswer(200, { now: new Date(centre.clock.now() * 1000).toISOString(), factor: centre.clock.factor() });
}

const problem = (status: number, detail: string, more: Record<string, unknown> = {}): Answer => ({
  ...jsonAnswer(status, { type: "about:blank", status, detail, ...more }),
  type: "application/problem+json",
});
const faultProblem = (detail: string): Answer => problem(400, detail, { lasting: LASTING_NAMES, sudden: SUDDEN_NAMES });

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined; // refused by the schema
  }
}
