import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "@/lib/testing/lab/child";
import type { InstantAnswer, Metrics } from "@/lib/ports/metrics";

type MetricsWorld = {
  readonly metrics: Metrics;
  /** Two nodes of 8 GPUs, healthy at the start; the first may be spoiled. */
  readonly nodes: readonly [string, string];
  /** What the node's exporter says from its next scrape on: a text, or null for no such series. */
  set(node: string, metric: string, gpu: number, text: string | null): Promise<void>;
  /** The node's exporter fails from now on. */
  failTarget(node: string): Promise<void>;
  stop(): Promise<void>;
};

const ROWS = "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS";

/** What every Metrics must do, whatever is behind it (R2.3: what is not there is never a number). */
export function metricsContract(name: string, makeWorld: () => Promise<MetricsWorld>): void {
  describe(`Metrics: ${name}`, () => {
    let world: MetricsWorld;
    let node: string;
    let other: string;
    beforeAll(async () => {
      world = await makeWorld();
      [node, other] = world.nodes;
    }, 120_000);
    afterAll(() => world?.stop(), 60_000);

    async function ask(query: string): Promise<InstantAnswer> {
      const answer = await world.metrics.instant(query);
      if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.because}`);
      return answer.value;
    }

    it("tells its version", async () => {
      expect(await world.metrics.ping()).toMatchObject({ ok: true, value: { version: expect.stringMatching(/^\d+\.\d+/) as string } });
    });

    it("gives a sample per series with its labels, the raw answer and the request", async () => {
      const answer = await ask(`${ROWS}{Hostname="${node}"}`);
      expect(answer.samples).toHaveLength(8);
      expect(new Set(answer.samples.map(({ labels }) => labels["gpu"]))).toEqual(new Set(["0", "1", "2", "3", "4", "5", "6", "7"]));
      expect(answer.samples.every(({ labels, text }) => labels["Hostname"] === node && text === "0")).toBe(true);
      expect(answer.warnings).toEqual([]);
      expect(answer.request).toContain(ROWS);
      expect(Buffer.from(answer.raw).toString()).toContain('"status":"success"');
    });

    it("asks for many nodes at once by a pattern, however long the query is", async () => {
      const others = Array.from({ length: 400 }, (_, i) => `no-such-node-${i}-with-a-long-name`);
      const answer = await ask(`${ROWS}{Hostname=~"${[node, other, ...others].join("|")}"}`);
      expect(answer.samples).toHaveLength(16);
    });

    it("R2.3: the time of the sample itself and the target's health can be asked for", async () => {
      const times = await ask(`timestamp(${ROWS}{Hostname="${node}"})`);
      expect(times.samples).toHaveLength(8);
      for (const { text } of times.samples) expect(Number(text)).toBeGreaterThan(1_000_000_000);
      const up = await ask("up");
      expect(up.samples.length).toBeGreaterThanOrEqual(2);
      expect(up.samples.every(({ text }) => text === "1")).toBe(true);
    });

    it("R2.3: no match is an empty answer, not a zero", async () => {
      expect((await ask(`${ROWS}{Hostname="nosuch"}`)).samples).toEqual([]);
      expect((await ask("NO_SUCH_METRIC")).samples).toEqual([]);
    });

    it("a query that is none is refused with the server's words", async () => {
      expect(await world.metrics.instant("up{")).toMatchObject({
        ok: false,
        error: { code: "refused", because: expect.stringContaining("parse error") as string },
      });
      expect(await world.metrics.instant("")).toMatchObject({ ok: false });
    });

    it("R2.3: NaN stays a text", async () => {
      await world.set(node, ROWS, 3, "NaN");
      await until("the NaN is scraped", 60, async () =>
        (await ask(`${ROWS}{Hostname="${node}"}`)).samples.some(({ labels, text }) => labels["gpu"] === "3" && text === "NaN"),
      );
    });

    it("R2.3: a series that stops is gone while its target is up", async () => {
      await world.set(node, ROWS, 5, null);
      await until("gpu 5 is gone", 60, async () => {
        const { samples } = await ask(`${ROWS}{Hostname="${node}"}`);
        return samples.length === 7 && samples.every(({ labels }) => labels["gpu"] !== "5");
      });
      expect((await ask("up")).samples.every(({ text }) => text === "1")).toBe(true);
    });

    it("R2.3: a target that fails has no series, and up says so", async () => {
      await world.failTarget(node);
      await until("the target is down", 60, async () => (await ask("up")).samples.some(({ text }) => text === "0"));
      await until("its series are gone", 60, async () => (await ask(`${ROWS}{Hostname="${node}"}`)).samples.length === 0);
      expect((await ask(`${ROWS}{Hostname="${other}"}`)).samples).toHaveLength(8);
    });
  });
}
