import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export type Exporter = {
  readonly node: string;
  /** "127.0.0.1:PORT" */
  readonly target: string;
  /** A value of one GPU as printed ("0", "NaN"), or null: the series is not there. */
  set(metric: string, gpu: number, text: string | null): void;
  /** Replaces a label of every series, such as Hostname. */
  setLabel(name: string, value: string): void;
  /** serve: answers. fail: HTTP 500. hang: never answers. */
  mode(mode: "serve" | "fail" | "hang"): void;
  stop(): Promise<void>;
};

const METRICS = {
  DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS: "0",
  DCGM_FI_DEV_XID_ERRORS: "0",
  DCGM_FI_DEV_GPU_TEMP: "38",
  DCGM_FI_DEV_GPU_UTIL: "0",
  DCGM_FI_DEV_ECC_DBE_VOL_TOTAL: "0",
} as const;

/** Speaks for one node like dcgm-exporter: each metric once per GPU. */
export async function startExporter(node: string, gpus = 8): Promise<Exporter> {
  const values = new Map<string, string | null>();
  const labels: Record<string, string> = { Hostname: node, modelName: "NVIDIA H100 80GB HBM3", DCGM_FI_DRIVER_VERSION: "570.133.20" };
  let mode: "serve" | "fail" | "hang" = "serve";
  const server = createServer((_request, response) => {
    if (mode === "hang") return;
    if (mode === "fail") return void response.writeHead(500).end("exporter failed");
    response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(page());
  });
  function page(): string {
    const lines = Object.entries(METRICS).flatMap(([metric, usual]) => [
      `# TYPE ${metric} gauge`,
      ...Array.from({ length: gpus }, (_, gpu) => {
        const text = values.get(`${metric}/${gpu}`);
        return text === null ? "" : `${metric}{${labelText(gpu)}} ${text ?? usual}`;
      }).filter((line) => line !== ""),
    ]);
    return `${lines.join("\n")}\n`;
  }
  function labelText(gpu: number): string {
    const uuid = `GPU-${node}-0000-4a6e-9c11-${String(gpu).padStart(12, "0")}`;
    return Object.entries({ gpu: String(gpu), UUID: uuid, ...labels })
      .map(([name, value]) => `${name}="${value}"`)
      .join(",");
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    node,
    target: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (metric, gpu, text) => void values.set(`${metric}/${gpu}`, text),
    setLabel: (name, value) => void (labels[name] = value),
    mode: (next) => void (mode = next),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
