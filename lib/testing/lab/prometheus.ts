import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { z } from "zod";

import { startChild, until } from "./child";
import type { Child } from "./child";
import { freePorts } from "./free-ports";

export type PrometheusLab = {
  readonly url: string;
  /** Ends the server and starts it on the same data after `between`; comes back when it answers. */
  restart(between?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
};
type ScrapeTarget = { readonly node: string; readonly target: string };

const Answer = z.looseObject({ data: z.looseObject({ result: z.array(z.unknown()) }) });

/** A real Prometheus that scrapes the given exporters every second; comes back when every target has been scraped. */
export async function startPrometheus(options: { readonly targets: readonly ScrapeTarget[] }): Promise<PrometheusLab> {
  const folder = mkdtempSync(`${tmpdir()}/prometheus-lab-`);
  const port = await freePorts([0]);
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(`${folder}/prometheus.yml`, configText(options.targets));
  const start = (): Child =>
    startChild(
      "/usr/bin/prometheus",
      [
        `--config.file=${folder}/prometheus.yml`,
        `--storage.tsdb.path=${folder}/data`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=warn",
      ],
      `${folder}/log`,
    );
  let child = start();
  const answers = (query: string, wanted: number): Promise<boolean> =>
    until(`Prometheus answers ${query}`, 60, async () => {
      if (!child.isAlive()) throw new Error(`prometheus ended: ${child.log()}`);
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`).catch(() => null);
      if (response === null || response.status !== 200) return false;
      return Answer.parse(await response.json()).data.result.length >= wanted;
    });
  await answers("up == 1", options.targets.length);
  return {
    url,
    async restart(between) {
      await child.stop();
      await between?.();
      child = start();
      await answers("vector(1)", 1);
    },
    async stop() {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configText(targets: readonly ScrapeTarget[]): string {
  const groups = targets.map(({ node, target }) => `      - targets: ["${target}"]\n        labels: { node: "${node}" }`);
  return `global: { scrape_interval: 1s, scrape_timeout: 900ms }
scrape_configs:
  - job_name: dcgm
    static_configs:
${groups.join("\n")}
`;
}
