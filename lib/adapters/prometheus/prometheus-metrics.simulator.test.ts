import { control, startTestSite } from "@/lib/simulator/test-site";
import { metricsContract } from "@/lib/testing/contracts/metrics-contract";
import { prometheusMetrics } from "./prometheus-metrics";

metricsContract("simulated data centre", async () => {
  const site = await startTestSite();
  const fault = async (node: string, body: object): Promise<void> => {
    const answer = await control(site, "faults", { cluster: "lab", node, ...body });
    if (answer.status >= 300) throw new Error(answer.text);
  };
  return {
    metrics: prometheusMetrics({ url: site.cluster.prometheusUrl }),
    nodes: ["n01", "n02"],
    set: (node, metric, gpu, text) =>
      fault(
        node,
        text === null
          ? { fault: "series-absent", metric, gpu }
          : text === "NaN"
            ? { fault: "series-nan", metric, gpu }
            : { fault: "series-value", metric, gpu, value: text },
      ),
    failTarget: (node) => fault(node, { fault: "target-down" }),
    stop: () => site.stop(),
  };
});
