import { describe, expect, test } from "vitest";
import { SeriesSeen } from "@/lib/core/check/series";
import { judgeSeries } from "@/lib/core/check/telemetry";
import { err, ok } from "@/lib/core/kernel/result";
import type { SubjectId } from "@/lib/core/kernel/ids";
import type { InstantAnswer } from "@/lib/ports/metrics";
import type { Store } from "@/lib/ports/store";
import { aHash } from "@/lib/testing/a-hash";
import { NOW, at } from "@/lib/testing/a-moment";
import type { ClusterWorld, Deps } from "../deps";
import { reportHost } from "../host-report";
import { observePrometheus } from "./observe-prometheus";
import { observeSlurm } from "./observe-slurm";

type Recorded = Parameters<Store["recordRead"]>[0];
type Failed = { readonly source: string; readonly because: string };
const subject = {
  subjectId: 1 as SubjectId,
  name: "gpu-a07",
  kind: "node" as const,
  role: "compute",
  gpus: 8,
  hostEpoch: 1,
  modelEpoch: 0,
  bootId: null,
  bootedAt: null,
};
const METRIC = "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL";

/** A store with one node and one wanted series, that keeps what a read brought. */
function aStore(): { readonly deps: Deps; readonly read: Recorded[]; readonly failed: Failed[] } {
  const read: Recorded[] = [];
  const failed: Failed[] = [];
  const store: Partial<Store> = {
    subjects: () => Promise.resolve([subject]),
    latest: () => Promise.resolve(new Map()),
    wantedTelemetry: () => Promise.resolve([{ name: "ecc", query: `${METRIC}{Hostname="{node}"}`, subjects: [subject] }]),
    recordRead: (one) => {
      read.push(one);
      return Promise.resolve({ written: one.observations.length });
    },
    failRead: (_cluster, source, _at, because) => Promise.resolve(void failed.push({ source, because })),
  };
  const hash = { text: aHash, bytes: (bytes: Uint8Array) => aHash(Buffer.from(bytes).toString("latin1")) };
  return { deps: { store, clock: { now: () => Promise.resolve(NOW) }, hash } as unknown as Deps, read, failed };
}

describe("case 7: a counter that a GPU does not support", () => {
  const answer = (texts: readonly string[]): InstantAnswer => ({
    samples: texts.map((text, gpu) => ({
      labels: { __name__: METRIC, Hostname: "gpu-a07", gpu: String(gpu), UUID: `GPU-${gpu}` },
      text,
    })),
    warnings: [],
    request: METRIC,
    raw: new TextEncoder().encode(JSON.stringify(texts)),
  });
  const worldOf = (texts: readonly string[]) =>
    ({
      nodeLabel: null,
      metrics: {
        ping: () => Promise.resolve(ok({ version: "3.5.0" })),
        instant: (query: string) =>
          Promise.resolve(ok(answer(query.startsWith("timestamp(") ? texts.map(() => String(NOW.getTime() / 1000)) : texts))),
      },
    }) as unknown as ClusterWorld;
  const others = Array.from({ length: 7 }, () => "4");

  test.each(["9223372036854775794", "9.223372036854776e+18", "9223372036854775792", "2147483634"])(
    "%s reaches no observation: words stand where it stood, and 4 is 4",
    async (text) => {
      const { deps, read } = aStore();
      await observePrometheus(deps, worldOf([text, ...others]), "sim-h100");
      const [seen] = read[0]?.observations ?? [];
      expect(JSON.stringify([seen?.text, seen?.value])).not.toMatch(/9223372|9\.22337|21474836/);
      expect(seen?.text).toMatch(/^0=(not supported|blank) 1=4 /);
      const spec = {
        kind: "telemetry",
        query: METRIC,
        expect: { atMost: { value: 10 } },
        seriesPerNode: 8,
        freshnessMs: 60_000,
        settleMs: 0,
      } as const;
      const judged = judgeSeries(SeriesSeen.parse(seen?.value), null, spec, { now: NOW, bootedAt: null, stepEndedAt: null });
      expect(judged).toMatchObject({ verdict: "unresolved", reason: "sentinel", because: expect.stringMatching(/^gpu 0: no value: /) });
    },
  );

  test("what came is the evidence, kept as it came", async () => {
    const { deps, read } = aStore();
    await observePrometheus(deps, worldOf(["9223372036854775794", ...others]), "sim-h100");
    expect(new TextDecoder().decode(read[0]?.evidence[0]?.bytes)).toContain("9223372036854775794");
  });
});

test("case 21: an unknown version of the scheduler's JSON is a failed read with its words; nobody is called busy, idle or gone", async () => {
  const { deps, read, failed } = aStore();
  const because = "unsupported scheduler JSON version v0.0.99: readers exist for v0.0.36 to v0.0.45";
  const refused = () => Promise.resolve(err({ code: "unsupported_version", because }));
  await observeSlurm(deps, { scheduler: { listNodes: refused, listJobs: refused } } as unknown as ClusterWorld, "sim-h100");
  expect([read, failed]).toEqual([[], [{ source: "slurm", because }]]);
});

test("case 22: a library that was replaced under its module makes the driver unreadable, in the tool's words; it is neither version", async () => {
  const said = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.133\n";
  const end = { exitCode: 18, signal: null, stdout: new TextEncoder().encode(said), stderr: new Uint8Array(), truncated: false };
  const shell = { run: () => Promise.resolve(ok({ ...end, startedAt: at(-1), endedAt: NOW })) } as unknown as ClusterWorld["shell"];
  const { deps } = aStore();
  const reported = await reportHost({ shell, hash: deps.hash }, "gpu-a07", ["gpu_driver", "gpu_driver_library"], 1_000);
  for (const one of reported) {
    expect(one).toMatchObject({ kind: "unreadable", text: null, because: expect.stringContaining("Driver/library version mismatch") });
    expect(one.because).toContain("reboot pending: library 570.133, loaded module differs");
  }
});
