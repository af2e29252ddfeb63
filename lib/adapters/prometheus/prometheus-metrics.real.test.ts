import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { metricsContract } from "@/lib/testing/contracts/metrics-contract";
import { until } from "@/lib/testing/lab/child";
import { startExporter } from "@/lib/testing/lab/exporter";
import type { Exporter } from "@/lib/testing/lab/exporter";
import { startPrometheus } from "@/lib/testing/lab/prometheus";
import type { PrometheusLab } from "@/lib/testing/lab/prometheus";
import { requireReal } from "@/lib/testing/lab/require-real";
import { prometheusMetrics } from "./prometheus-metrics";

const real = requireReal("prometheus");

describe.skipIf(!real)("Prometheus, real", () => {
  metricsContract("real Prometheus", async () => {
    const exporters = await Promise.all([startExporter("gpu001"), startExporter("gpu002")]);
    const lab = await startPrometheus({ targets: exporters });
    const find = (node: string): Exporter => exporters.find((exporter) => exporter.node === node) ?? exporters[0];
    return {
      metrics: prometheusMetrics({ url: `${lab.url}/` }),
      nodes: ["gpu001", "gpu002"],
      set: async (node, metric, gpu, text) => find(node).set(metric, gpu, text),
      failTarget: async (node) => find(node).mode("fail"),
      stop: async () => {
        await lab.stop();
        await Promise.all(exporters.map((exporter) => exporter.stop()));
      },
    };
  });

  describe("what only looks like data", () => {
    let lab: PrometheusLab;
    let exporter: Exporter;
    beforeAll(async () => {
      exporter = await startExporter("gpu001");
      lab = await startPrometheus({ targets: [exporter] });
    }, 60_000);
    afterAll(async () => {
      await lab?.stop();
      await exporter?.stop();
    });

    it("R2.3: a target that died while Prometheus was down still shows old values; sample time and up tell", async () => {
      const metrics = prometheusMetrics({ url: lab.url });
      await lab.restart(() => exporter.stop());
      await until("up is 0", 60, async () => {
        const up = await metrics.instant("up");
        return up.ok && up.value.samples[0]?.text === "0";
      });
      const value = await metrics.instant('DCGM_FI_DEV_GPU_TEMP{gpu="0"}');
      const time = await metrics.instant('timestamp(DCGM_FI_DEV_GPU_TEMP{gpu="0"})');
      expect(value).toMatchObject({ ok: true, value: { samples: [{ text: "38" }] } });
      const age = time.ok ? Date.now() / 1000 - Number(time.value.samples[0]?.text) : 0;
      expect(age).toBeGreaterThan(1);
    });
  });

  it("another address is told by name, without its user and password", async () => {
    const away = prometheusMetrics({ url: "http://127.0.0.1:1/prefix" });
    expect(await away.ping()).toMatchObject({
      ok: false,
      error: { code: "unreachable", because: expect.stringContaining("/prefix/") as string },
    });
    expect(await away.instant("up")).toMatchObject({ ok: false, error: { code: "unreachable" } });
  });
});
