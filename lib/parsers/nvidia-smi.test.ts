import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Expectation } from "@/lib/core/check/expectation";
import { judgeReading } from "@/lib/core/check/judge-reading";
import { readNvidiaSmi } from "./nvidia-smi";
import { parserNamed } from "./parsers";

const read = (text: string) => readNvidiaSmi(new TextEncoder().encode(text));
const judge = (text: string, named: Record<string, Expectation> = {}, gpus: number | null = null) =>
  judgeReading(read(text), null, null, null, { gpus, named }).judged;
const ERRORS = readFileSync("lib/parsers/samples/nvidia_smi_error_outputs.txt", "utf8")
  .split(/^### .*\n/m)
  .filter((text) => text !== "");

describe("CSV", () => {
  const versions = (count: number, version = "570.172.08") => `${version}\n`.repeat(count);

  test("R2.2: a list of driver versions is counted before it is compared", () => {
    const every = { driver_version: { every: "570.172.08" } };
    expect(judge(versions(8), every, 8).verdict).toBe("pass");
    expect(judge(versions(7), every, 8)).toMatchObject({
      verdict: "unresolved",
      because: expect.stringContaining("7 of 8 GPUs reported, missing index 7"),
    });
    expect(judge(versions(7) + "570.133.20\n", every, 8)).toMatchObject({ verdict: "fail" });
    expect(judge(versions(7) + "[N/A]\n", every, 8).verdict).toBe("unresolved");
    expect(judge(versions(8, "570.10"), { driver_version: { every: "570.1" } }, 8).verdict).toBe("fail");
  });

  test("an expectation without a name means the only column", () => {
    const reading = read(versions(8));
    expect(judgeReading(reading, { every: "570.172.08" }, null, null, { gpus: 8 }).judged.verdict).toBe("pass");
    expect(judgeReading(reading, { every: "570.133.20" }, null, null, { gpus: 8 }).judged.verdict).toBe("fail");
  });

  test("rows without names of which nothing is expected are no evidence, however many there are", () => {
    const complaint = "bash: nvidia-smi: command not found\n".repeat(8);
    expect(judge(complaint, {}, 8)).toMatchObject({
      verdict: "unresolved",
      because: "its columns have no names, and nothing is expected of them",
    });
    const asked = judgeReading(read("NVIDIA H100\n".repeat(8)), { every: "NVIDIA H100" }, null, null, { gpus: 8 }).judged;
    expect(asked.verdict).toBe("pass");
  });

  test("two rows of one index or one UUID are not two GPUs", () => {
    expect(judge("index, uuid\n0, GPU-a\n0, GPU-b\n").verdict).toBe("unresolved");
    expect(judge("index, uuid\n0, GPU-a\n1, GPU-a\n")).toMatchObject({ because: expect.stringContaining("share one UUID") });
  });

  test.each([
    "[N/A]",
    "N/A",
    "[Not Supported]",
    "[Insufficient Permissions]",
    "[Function Not Found]",
    "",
    "NaN",
    "9223372036854775794",
    "808334905 %",
  ])("utilisation %j is no number", (cell) => {
    const reading = read(`index, utilization.gpu [%]\n0, ${cell}\n`);
    expect(reading.values.find((value) => value.name === "utilization.gpu")?.value).toBeNull();
    expect(judge(`index, utilization.gpu [%]\n0, ${cell}\n`, { "utilization.gpu": { atMost: { value: 5 } } }).verdict).toBe("unresolved");
  });

  test.each(["[GPU requires reset]", "[GPU is lost]", "[Unknown Error]", "ERR!"])("%s is a broken GPU", (cell) => {
    expect(judge(`index, memory.used [MiB]\n0, ${cell}\n`).verdict).toBe("fail");
  });

  test("units and no units read alike, and the infoROM warning forbids a pass", () => {
    for (const text of ["index, power.draw [W]\n0, 71.22 W\n", "index, power.draw [W]\n0, 71.22\n"])
      expect(read(text).values.find((value) => value.name === "power.draw")).toMatchObject({ value: 71.22, unit: "W" });
    expect(judge(ERRORS[4] ?? "")).toMatchObject({ verdict: "unresolved", because: expect.stringContaining("infoROM is corrupted") });
    expect(read(ERRORS[4] ?? "").values.filter((value) => value.name === "driver_version")).toHaveLength(2);
  });

  test("a row with another number of columns, a header alone and foreign text are unresolved", () => {
    for (const text of ["index, name\n0\n", "index, name\n", "hello, world\n", "{}\n"]) expect(judge(text).verdict).toBe("unresolved");
  });
});

describe("errors", () => {
  test("case 22: the mismatch is a named state, not zero GPUs and not a failure", () => {
    const text = "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 570.133\n";
    const { judged } = judgeReading(read(text), null, null, null, { gpus: 8, exitCode: 18 });
    expect(judged.verdict).toBe("unresolved");
    expect(judged.because).toContain("reboot pending: library 570.133, loaded module differs");
    expect(read(text)).toMatchObject({ understood: "did_not_run", values: [] });
  });

  test.each([0, 1, 2, 3])("error output %i holds no data and does not pass", (index) => {
    expect(read(ERRORS[index] ?? "").values).toEqual([]);
    expect(judge(ERRORS[index] ?? "").verdict).toBe("unresolved");
  });
});

describe("XML", () => {
  const gpu = (index: number, inside = ""): string =>
    `<gpu id="0000000${index}:1B:00.0"><product_name>NVIDIA H100</product_name><uuid>GPU-${index}</uuid><utilization><gpu_util>0 %</gpu_util></utilization>` +
    `<temperature><gpu_temp>38 C</gpu_temp></temperature><pci><pci_gpu_link_info><link_widths><max_link_width>16x</max_link_width><current_link_width>16x</current_link_width></link_widths></pci_gpu_link_info></pci>${inside}</gpu>`;
  const log = (gpus: readonly string[], attached = gpus.length): string =>
    `<?xml version="1.0" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">\n<nvidia_smi_log>\n<timestamp>Wed Nov 18 02:14:09 2026</timestamp><driver_version>570.172.08</driver_version><cuda_version>12.8</cuda_version><attached_gpus>${attached}</attached_gpus>${gpus.join("")}</nvidia_smi_log>\n`;

  test("driver, values with their units, and the count", () => {
    const text = log([gpu(0), gpu(1)]);
    expect(read(text).versions).toEqual({ driver: "570.172.08", cuda: "12.8" });
    expect(read(text).values.find((value) => value.name === "temperature.gpu")).toMatchObject({ entity: "gpu 0", value: 38, unit: "C" });
    expect(judge(text, { driver_version: { every: "570.172.08" } }, 2).verdict).toBe("pass");
    expect(judge(text, { driver_version: { every: "570.172.08" } }, 8)).toMatchObject({ verdict: "unresolved" });
  });

  test.each<[string, string, string, string]>([
    ["attached_gpus and the list disagree", log([gpu(0)], 2), "unresolved", "attached_gpus says 2"],
    ["two documents", log([gpu(0)]) + log([gpu(0)]), "unresolved", "more than one document"],
    ["no GPU", log([]), "unresolved", "no GPU"],
    [
      "a pending row remap",
      log([gpu(0, "<remapped_rows><remapped_row_pending>Yes</remapped_row_pending></remapped_rows>")]),
      "fail",
      "needs a reset",
    ],
    [
      "a failed row remap",
      log([gpu(0, "<remapped_rows><remapped_row_failure>Yes</remapped_row_failure></remapped_rows>")]),
      "fail",
      "has failed",
    ],
    ["a recovery action", log([gpu(0, "<gpu_recovery_action>Reset</gpu_recovery_action>")]), "fail", "recovery action Reset"],
    ["a narrow link", log([gpu(0).replace("16x</current", "8x</current")]), "fail", "PCIe link width 8"],
    ["a warning before it", `WARNING: infoROM is corrupted at gpu 0\n${log([gpu(0)])}`, "unresolved", "infoROM"],
  ])("%s", (_name, text, verdict, because) => {
    expect(judge(text)).toMatchObject({ verdict, because: expect.stringContaining(because) });
  });

  test("cut anywhere it never passes", () => {
    const text = log([gpu(0), gpu(1)]);
    for (let length = 0; length < text.trimEnd().length; length++) expect(judge(text.slice(0, length)).verdict).not.toBe("pass");
  });
});

test("parsers are found by name, and by no other", () => {
  expect(parserNamed("text")).not.toBeNull();
  expect(parserNamed("constructor")).toBeNull();
});
