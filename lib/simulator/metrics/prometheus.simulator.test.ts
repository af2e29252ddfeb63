import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ask, control, run, startTestSite, until, type TestSite } from "@/lib/simulator/test-site";

let site: TestSite;
beforeAll(async () => void (site = await startTestSite()));
afterAll(() => site.stop());

const TEMP = "DCGM_FI_DEV_GPU_TEMP";
type Series = { metric: Record<string, string>; value: [number, string] };
const query = async (text: string): Promise<Series[]> =>
  (await ask(`${site.cluster.prometheusUrl}/api/v1/query?query=${encodeURIComponent(text)}`)).json().data.result;
const fault = (fault: string, node: string, more: Record<string, unknown> = {}) =>
  control(site, "faults", { cluster: "lab", fault, node, ...more });

describe("a healthy site", () => {
  it("eight series per node with the exporter's labels; the value is a text, its time the evaluation's", async () => {
    const result = await query(`${TEMP}{Hostname="n01"}`);
    expect(result).toHaveLength(8);
    expect(result[0]?.metric).toMatchObject({
      __name__: TEMP,
      gpu: "0",
      Hostname: "n01",
      instance: "n01:9400",
      job: "dcgm",
      cluster: "lab",
      DCGM_FI_DRIVER_VERSION: "570.133.20",
    });
    expect(result[0]?.metric.UUID).toMatch(/^GPU-/);
    const [time, value] = result[0]?.value ?? [0, ""];
    expect(typeof value).toBe("string");
    const [sampled] = await query(`timestamp(${TEMP}{Hostname="n01",gpu="0"})`);
    expect(Number(sampled?.value[1])).toBeLessThanOrEqual(time + 60);
    expect(sampled?.metric.__name__).toBeUndefined();
  });

  it("answers up, names, build, readiness, targets, a range, and a form by POST", async () => {
    expect(await query('up{cluster="lab"}')).toHaveLength(8);
    const url = site.cluster.prometheusUrl;
    expect((await ask(`${url}/api/v1/label/__name__/values`)).json().data).toContain("up");
    expect((await ask(`${url}/api/v1/status/buildinfo`)).json().data.version).toMatch(/^2\./);
    expect((await ask(`${url}/-/ready`)).status).toBe(200);
    expect((await ask(`${url}/api/v1/targets`)).json().data.activeTargets[0].health).toBe("up");
    const now = (await query("up"))[0]?.value[0] ?? 0;
    const range = (await ask(`${url}/api/v1/query_range?query=up&start=${now - 10}&end=${now}&step=5`)).json().data;
    expect(range.resultType).toBe("matrix");
    const post = await ask(`${url}/api/v1/query`, { method: "POST", body: new URLSearchParams({ query: "up" }) });
    expect(post.json().data.resultType).toBe("vector");
  });

  it("refuses as the real one does", async () => {
    const bad = await ask(`${site.cluster.prometheusUrl}/api/v1/query?query=m%7B`);
    expect([bad.status, bad.json().status, bad.json().errorType]).toEqual([400, "error", "bad_data"]);
    expect(bad.json().error).toMatch(/^invalid parameter "query": 1:\d+: parse error/);
    expect(await ask(`${site.cluster.prometheusUrl}/nothing`)).toMatchObject({ status: 404, text: "404 page not found\n" });
    expect(await query('DCGM_FI_DEV_GPU_TEMP{Hostname="nobody"}')).toEqual([]);
  });
});

describe("series in trouble (R2.3)", () => {
  const settled = (text: string, look: (result: Series[]) => boolean) => until(async () => look(await query(text)), text);

  it("absent for one GPU, NaN, sentinel, a value, another host's name", async () => {
    await fault("series-absent", "n01", { metric: TEMP, gpu: 3 });
    await settled(`${TEMP}{Hostname="n01"}`, (r) => r.length === 7);
    await fault("series-nan", "n02", { metric: TEMP });
    await settled(`${TEMP}{Hostname="n02"}`, (r) => r.every((s) => s.value[1] === "NaN"));
    await fault("series-sentinel", "n03", { metric: TEMP, gpu: 0 });
    await settled(`${TEMP}{Hostname="n03",gpu="0"}`, (r) => r[0]?.value[1] === "9223372036854775794");
    await fault("series-value", "n03", { metric: "DCGM_FI_DEV_XID_ERRORS", gpu: 1, value: "79" });
    await settled('DCGM_FI_DEV_XID_ERRORS{Hostname="n03",gpu="1"}', (r) => r[0]?.value[1] === "79");
    await fault("series-wrong-label", "n04");
    await settled(`${TEMP}{Hostname="n04"}`, (r) => r.length === 0);
    expect(await query(`${TEMP}{instance="n04:9400"}`)).toHaveLength(8);
  });

  it("stale: still answered, with the old sample's time", async () => {
    await fault("series-stale", "n05");
    const stamp = async (): Promise<number> => Number((await query(`timestamp(${TEMP}{Hostname="n05",gpu="0"})`))[0]?.value[1]);
    const first = await stamp();
    await settled(`timestamp(up{instance="n05:9400"})`, (r) => Number(r[0]?.value[1]) > first + 3);
    expect(Math.abs((await stamp()) - first)).toBeLessThanOrEqual(2);
  });

  it("target-down and a machine that is off: up is 0, its series are gone; afterwards the new driver is a label", async () => {
    await fault("target-down", "n06");
    await settled('up{instance="n06:9400"}', (r) => r[0]?.value[1] === "0");
    expect(await query(`${TEMP}{Hostname="n06"}`)).toEqual([]);
    await run(site, "n07", "install-driver 570.172.08");
    await run(site, "n07", "systemctl reboot").catch(() => null); // the connection breaks
    await settled('up{instance="n07:9400"}', (r) => r[0]?.value[1] === "0");
    await settled(`${TEMP}{Hostname="n07"}`, (r) => r.length === 8 && r[0]?.metric.DCGM_FI_DRIVER_VERSION === "570.172.08");
  });

  it("prometheus-down breaks connections until it is cleared", async () => {
    await control(site, "faults", { fault: "prometheus-down" });
    await expect(query("up")).rejects.toThrow();
    await control(site, "faults", { fault: "prometheus-down", clear: true });
    expect(await query("up")).not.toEqual([]);
  });
});
