import { describe, expect, it } from "vitest";
import { readJob } from "./read-job";

const JOB = `name: nccl-h100
version: 3
class: h100-8/cx7-8/ubuntu22
script: |
  srun --ntasks=8 all_reduce_perf -b 512M -e 8G -f 2 -g 1
inputs: [{path: /apps/accept/input.bin, sha256: ${"9f".repeat(32)}}]
applicationVersion: nccl-tests 2.19.6
expect: {output: {parser: nccl-tests, wrongValues: {equals: 0}}}
metrics: [{name: busbw, parser: nccl-tests, unit: GB/s, direction: higher, warn: {above: 95%}, fail: {above: 90%}}]
repeats: 5
timeLimit: 10m
judges: [workloadOwner]
`;

describe("readJob", () => {
  it("reads a job as written (R3.2)", () => {
    const job = readJob(JOB);
    expect(job).toMatchObject({
      ok: true,
      value: {
        name: "nccl-h100",
        version: 3,
        script: "srun --ntasks=8 all_reduce_perf -b 512M -e 8G -f 2 -g 1\n",
        expectOutput: { kind: "parser", parser: "nccl-tests", values: { wrongValues: { equals: "0" } } },
        metrics: [{ warn: { above: { percentOfBaseline: 95 } }, fail: { above: { percentOfBaseline: 90 } } }],
        timeLimitMs: 600_000,
        judges: ["workloadOwner"],
      },
    });
  });

  it.each([
    ["an unknown name, with what was meant", "repeats: 5", "repeat: 5", 10, /Did you mean repeats/],
    ["a hash that is none", "9f".repeat(32), "9f2c...", 6, /64 lower-case hex digits/],
    ["a fail limit left out", ", fail: {above: 90%}", "", 9, /fail is missing/],
    ["no check of the output", "expect: {output: {parser: nccl-tests, wrongValues: {equals: 0}}}", "expect: {}", 8, /proves nothing/],
    ["two ways of judging the output", "{parser: nccl-tests,", "{parser: nccl-tests, exact: x,", 8, /exactly one/],
    ["a time limit without unit", "10m", "10", 11, /such as 90s, 5m or 2h30m/],
  ])("names %s and its line", (_, was, is, line, text) => {
    const job = readJob(JOB.replace(was, is));
    expect(job.ok).toBe(false);
    if (!job.ok) expect(job.error).toEqual([expect.objectContaining({ line, text: expect.stringMatching(text) as string })]);
  });

  it("reads a hash, an exact text and a number with tolerance", () => {
    const kinds = [`{sha256: ${"a".repeat(64)}}`, "{exact: ok}", "{number: 12.5, tolerance: 0.5}"].map((output) => {
      const job = readJob(JOB.replace("{parser: nccl-tests, wrongValues: {equals: 0}}", output));
      return job.ok ? job.value.expectOutput.kind : job.error;
    });
    expect(kinds).toEqual(["sha256", "exact", "number"]);
  });
});
