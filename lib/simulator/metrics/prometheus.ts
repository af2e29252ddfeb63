/** Prometheus' HTTP API over the simulated scrapes. */
import type { Server } from "node:http";

import type { DataCentre } from "@/lib/simulator/data-centre";
import { delay, jsonAnswer, serveHttp, type Answer, type Question } from "@/lib/simulator/http-exchange";

import { mayName, parseQuery, selects, type Query } from "./promql";
import type { Scrapes } from "./scrapes";
import { METRIC_NAMES, seriesAt } from "./series";

const MAX_POINTS = 11_000;

/** One Prometheus for all clusters. While it is down every connection breaks before anything is answered. */
export function createPrometheus(centre: DataCentre, scrapes: Scrapes): Server {
  const server = serveHttp((question) => answer(centre, scrapes, question));
  const isDown = (): boolean => centre.settle().faults.some((fault) => fault.kind === "prometheus-down");
  server.on("connection", (socket) => void (isDown() && socket.destroy()));
  server.prependListener("request", (request) => void (isDown() && request.socket.destroy()));
  return server;
}

async function answer(centre: DataCentre, scrapes: Scrapes, question: Question): Promise<Answer> {
  const slow = centre.settle().faults.findLast((fault) => fault.kind === "prometheus-slow");
  if (slow !== undefined) await delay(slow.params.milliseconds);
  const path = question.url.pathname;
  const parameters = parametersOf(question);
  if (path === "/-/ready") return { status: 200, type: "text/plain; charset=utf-8", body: "Prometheus Server is Ready.\n" };
  if (path === "/-/healthy") return { status: 200, type: "text/plain; charset=utf-8", body: "Prometheus Server is Healthy.\n" };
  if (path === "/api/v1/status/buildinfo")
    return success({ version: "2.42.0+ds", revision: "2.42.0+ds-5+b5", branch: "debian/sid", goVersion: "go1.19.8" });
  if (path === "/api/v1/label/__name__/values") return success(METRIC_NAMES);
  if (path === "/api/v1/targets") return success(targets(centre, scrapes));
  if (path === "/api/v1/query") return instant(centre, scrapes, parameters);
  if (path === "/api/v1/query_range") return range(centre, scrapes, parameters);
  return { status: 404, type: "text/plain; charset=utf-8", body: "404 page not found\n" };
}

function instant(centre: DataCentre, scrapes: Scrapes, parameters: URLSearchParams): Answer {
  const query = parseQuery(parameters.get("query") ?? "");
  if (typeof query === "string") return bad("query", query);
  const time = readTime(parameters.get("time"), centre.clock.now());
  if (time === null) return bad("time", `cannot parse ${JSON.stringify(parameters.get("time"))} to a valid timestamp`);
  return success({
    resultType: "vector",
    result: evaluate(centre, scrapes, query, time).map(({ metric, value }) => ({ metric, value: [time, value] })),
  });
}

function range(centre: DataCentre, scrapes: Scrapes, parameters: URLSearchParams): Answer {
  const query = parseQuery(parameters.get("query") ?? "");
  if (typeof query === "string") return bad("query", query);
  const [start, end] = [readTime(parameters.get("start"), null), readTime(parameters.get("end"), null)];
  const step = readStep(parameters.get("step") ?? "");
  if (start === null || end === null) return bad(start === null ? "start" : "end", 'cannot parse "" to a valid timestamp');
  if (step === null) return bad("step", `cannot parse ${JSON.stringify(parameters.get("step") ?? "")} to a valid duration`);
  if (end < start) return bad("end", "end timestamp must not be before start time");
  if ((end - start) / step > MAX_POINTS) {
    return failure("exceeded maximum resolution of 11,000 points per timeseries. Try decreasing the query resolution (?step=XX)");
  }
  const series = new Map<string, { metric: Record<string, string>; values: [number, string][] }>();
  for (let time = start; time <= end; time += step) {
    for (const { metric, value } of evaluate(centre, scrapes, query, time)) {
      const key = JSON.stringify(metric);
      const entry = series.get(key) ?? { metric, values: [] };
      entry.values.push([time, value]);
      series.set(key, entry);
    }
  }
  return success({ resultType: "matrix", result: [...series.values()] });
}

function evaluate(centre: DataCentre, scrapes: Scrapes, query: Query, time: number): { metric: Record<string, string>; value: string }[] {
  const samples = seriesAt(centre.settle(), scrapes, time, (metric) => mayName(query, metric)).filter((sample) =>
    selects(query, sample.labels),
  );
  return samples.map(({ labels, value, at }) => {
    if (!query.timestamps) return { metric: labels, value };
    const { __name__: _, ...metric } = labels;
    return { metric, value: String(Math.round(at * 1000) / 1000) };
  });
}

function targets(centre: DataCentre, scrapes: Scrapes): unknown {
  const state = centre.settle();
  const now = centre.clock.now();
  const activeTargets = Object.values(state.nodes).map((node) => {
    const last = scrapes.lastAt(node, now);
    return {
      labels: { instance: `${node.name}:9400`, job: "dcgm", cluster: node.cluster },
      scrapePool: "dcgm",
      scrapeUrl: `http://${node.name}:9400/metrics`,
      lastError: last?.up === false ? `Get "http://${node.name}:9400/metrics": dial tcp: connect: connection refused` : "",
      lastScrape: new Date((last?.at ?? 0) * 1000).toISOString(),
      health: last === undefined ? "unknown" : last.up ? "up" : "down",
      scrapeInterval: `${state.description.steps.scrapeS}s`,
    };
  });
  return { activeTargets, droppedTargets: [] };
}

/** POST carries a form; a GET its query string. */
function parametersOf(question: Question): URLSearchParams {
  const form = question.method === "POST" && (question.headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  return new URLSearchParams([...question.url.searchParams, ...(form ? new URLSearchParams(question.body) : [])]);
}

function readTime<T>(text: string | null, absent: T): number | T | null {
  if (text === null || text === "") return absent;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? null : millis / 1000;
}

function readStep(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)(s|m|h)?$/.exec(text);
  const seconds = match === null ? 0 : Number(match[1]) * { s: 1, m: 60, h: 3600 }[(match[2] ?? "s") as "s" | "m" | "h"];
  return seconds > 0 ? seconds : null;
}

const success = (data: unknown): Answer => jsonAnswer(200, { status: "success", data });
const failure = (error: string): Answer => jsonAnswer(400, { status: "error", errorType: "bad_data", error });
const bad = (parameter: string, text: string): Answer => failure(`invalid parameter ${JSON.stringify(parameter)}: ${text}`);
