/** slurmrestd over HTTP. Statuses and bodies of v0.0.38 are measured; v0.0.40 follows the published specification. */
import type { Server } from "node:http";

import type { DataCentre } from "@/lib/simulator/data-centre";
import { delay, serveHttp, type Answer, type Question } from "@/lib/simulator/http-exchange";
import { findFault } from "@/lib/simulator/world/faults";
import { REFUSALS, type Refusal } from "@/lib/simulator/world/refusal";

import { errorBody, frame, listBody, type ListName, type SlurmVersion } from "./body";
import { act, isDown, siteOf, UNREACHABLE, type Desk } from "./desk";
import { restError, restJson, restText } from "./rest-answer";
import { submitByRest, updateNodeByRest } from "./rest-write";

/** How long a controller that is down lets its clients wait, in real time. */
const UNREACHABLE_MS = 1000;
const LISTS: Record<string, { list: ListName; single: boolean }> = {
  ping: { list: "pings", single: false },
  nodes: { list: "nodes", single: false },
  node: { list: "nodes", single: true },
  jobs: { list: "jobs", single: false },
  job: { list: "jobs", single: true },
  partitions: { list: "partitions", single: false },
  partition: { list: "partitions", single: true },
  reservations: { list: "reservations", single: false },
  reservation: { list: "reservations", single: true },
};

export function createSlurmRest(centre: DataCentre, cluster: string, token: string): Server {
  return serveHttp(async (question) => {
    const user = question.headers["x-slurm-user-name"];
    const given = question.headers["x-slurm-user-token"];
    if (typeof user !== "string" || typeof given !== "string") return restText(401, "Authentication failure");
    const desk: Desk = { centre, cluster, user, workDir: `/home/${user}`, via: "rest" };
    return answer(desk, question, given === token);
  });
}

async function answer(desk: Desk, question: Question, authentic: boolean): Promise<Answer> {
  const at = { cluster: desk.cluster };
  const slow = findFault(desk.centre.settle().faults, "scheduler-slow", at);
  if (slow !== undefined) await delay(slow.params.milliseconds);
  const site = siteOf(desk);
  if (/^\/openapi(\/v3|\.json|\.yaml)?$/.test(question.url.pathname)) return restJson(200, openApi(site.cluster.slurmVersions));
  const match = /^\/slurm\/(v0\.0\.\d+)\/([a-z]+)(?:\/([^/]+))?\/?$/.exec(question.url.pathname);
  const version = site.cluster.slurmVersions.find((v) => v === match?.[1]);
  const [, , resource = "", rawName] = match ?? [];
  const name = rawName === undefined ? undefined : safeDecode(rawName);
  const known = LISTS[resource];
  if (version === undefined || (known === undefined && resource !== "diag") || (known?.single === true) !== (name !== undefined)) {
    return restText(404, "Unable find requested URL. Please view /openapi/v3 for API reference.");
  }
  if (!methodsOf(version, resource, name).includes(question.method)) {
    return restText(405, "Requested REST method is not defined at URL. Please view /openapi/v3 for API reference.");
  }
  const list = known?.list ?? "statistics";
  if (!authentic) return restJson(500, errorBody(site, version, list, { error: "Unspecified error", errno: -1 }));
  if (isDown(desk)) {
    await delay(UNREACHABLE_MS);
    return restJson(
      500,
      errorBody(site, version, list, version === "v0.0.38" ? { error: "Unspecified error", errno: -1 } : restError(UNREACHABLE, 1850)),
    );
  }
  if (findFault(desk.centre.settle().faults, "scheduler-errors-200", at))
    return restJson(200, errorBody(site, version, list, restError("Zero Bytes were transmitted or received", 1003)));
  if (resource === "diag")
    return restJson(200, frame(site, version, { statistics: { jobs_running: site.jobs.filter((j) => j.state === "RUNNING").length } }));
  if (question.method === "GET") return read(desk, version, known?.list ?? "nodes", name);
  if (question.method === "DELETE") return cancel(desk, version, name ?? "");
  return resource === "node" ? updateNodeByRest(desk, version, name ?? "", question.body) : submitByRest(desk, version, question.body);
}

function read(desk: Desk, version: SlurmVersion, list: ListName, name: string | undefined): Answer {
  const site = siteOf(desk);
  const body = listBody(site, version, list, name);
  const entries = body[list];
  if (name === undefined || (Array.isArray(entries) && entries.length > 0)) return restJson(200, body);
  if (list === "jobs")
    return restJson(
      500,
      errorBody(site, version, list, {
        description: `Unable to find JobId=${name}`,
        ...numbered(REFUSALS.invalidJob),
        source: "slurm_load_job",
      }),
    );
  const refusal = list === "nodes" ? REFUSALS.invalidNode : list === "partitions" ? REFUSALS.invalidPartition : REFUSALS.invalidReservation;
  return restJson(
    500,
    errorBody(
      site,
      version,
      list,
      version === "v0.0.38" ? { error: refusal.text, errno: refusal.errno } : restError(refusal.text, refusal.errno),
    ),
  );
}

function cancel(desk: Desk, version: SlurmVersion, id: string): Answer {
  const site = siteOf(desk);
  const { refused } = act(desk, { type: "cancel", cluster: desk.cluster, id: Number(id) }, { what: "cancel", detail: id });
  if (refused === null || refused.errno === REFUSALS.alreadyDone.errno) return restJson(200, frame(site, version, {}));
  return restJson(
    500,
    frame(site, version, { errors: [{ description: `Unable to find JobId=${id}`, ...numbered(refused), source: "slurm_kill_job2" }] }),
  );
}

/** v0.0.38 has no node update: a POST there is 405. `job/submit` is the one job path with POST. */
function methodsOf(version: SlurmVersion, resource: string, name: string | undefined): string[] {
  if (resource === "job") return name === "submit" ? ["POST"] : ["GET", "DELETE"];
  return resource === "node" && version === "v0.0.40" ? ["GET", "POST"] : ["GET"];
}

function openApi(versions: readonly SlurmVersion[]): unknown {
  const paths = versions.flatMap((version) =>
    Object.entries(LISTS).map(([resource, { single }]) => {
      const path = `/slurm/${version}/${resource}${single ? (resource === "job" ? "/{job_id}" : `/{${resource}_name}`) : ""}`;
      return [
        path,
        Object.fromEntries(methodsOf(version, resource, single ? "x" : undefined).map((m) => [m.toLowerCase(), { tags: ["slurm"] }])),
      ];
    }),
  );
  const submits = versions.map((version) => [`/slurm/${version}/job/submit`, { post: { tags: ["slurm"] } }]);
  return { openapi: "3.0.2", info: { title: "Slurm Rest API" }, paths: Object.fromEntries([...paths, ...submits]) };
}

const numbered = (refusal: Refusal): Record<string, unknown> => ({ error_number: refusal.errno, error: refusal.text });

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a broken escape is simply a name that nobody has
  }
}
