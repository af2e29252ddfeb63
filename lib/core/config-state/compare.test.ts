import { describe, expect, it } from "vitest";
import type { ObservationId, SubjectId } from "@/lib/core/kernel/ids";
import { NOW, at } from "@/lib/testing/a-moment";
import { compareConfig, type ConfigContext } from "./compare";
import { configSentence } from "./explain";
import type { ChangeGoal } from "./goal";
import { latestValid } from "./latest-valid";
import type { Component, ConfigField, Epochs, Observed } from "./observation";

const seen = (field: ConfigField, component: Component, text: string, more: Partial<Observed> = {}): Observed => ({
  id: 1 as ObservationId,
  subjectId: 1 as SubjectId,
  field,
  component,
  source: "s",
  kind: "value",
  text,
  value: text,
  epochs: { host: 1, model: 1 },
  observedAt: at(-1),
  confirmedAt: at(-1),
  ...more,
});
const now: Epochs = { host: 1, model: 1 };
const epochs = { cluster_definition: now, vmss_model: now, instance_model: now, host_report: now };
const image: ChangeGoal = {
  component: "image",
  text: "24.09.02",
  hostProof: [{ component: "os", expect: "24.09" }],
  persistence: { kind: "image", observe: "model" },
};
const driver: ChangeGoal = { component: "gpu_driver", text: "570", persistence: { kind: "config-management", observe: "cat x" } };
const site: ConfigContext = {
  node: "n1",
  declared: false,
  required: {},
  before: null,
  prior: null,
  definitionSource: true,
  scaleSet: true,
};
const say = (goal: ChangeGoal, rows: readonly Observed[], context = site) =>
  compareConfig(goal, rows, epochs, NOW, context).sentences.map(configSentence);
const verdicts = (goal: ChangeGoal, rows: readonly Observed[], context = site) => {
  const row = compareConfig(goal, rows, epochs, NOW, context).now;
  return [row.cluster_definition, row.vmss_model, row.instance_model, row.host_report].map((m) => m.verdict);
};

describe("the value that counts (R1.3, R1.11)", () => {
  const row = (more: Partial<Observed>) => seen("host_report", "gpu_driver", "570", more);
  it.each([
    ["one young row of this epoch", [row({})], [], "570"],
    ["a row of the epoch before the reboot says nothing", [row({ epochs: { host: 0, model: 1 } })], [], "before_reboot"],
    ["a row of exactly the greatest age is too old", [row({ confirmedAt: at(-24 * 60) })], [], "too_old"],
    ["an absent row", [row({ kind: "absent", text: null })], [], "absent"],
    ["an empty text is unreadable", [row({ text: " " })], [], "unreadable"],
    ["two sources that differ", [row({}), row({ source: "dcgm", text: "550" })], [], "sources_disagree"],
    [
      "the newest row of a source counts, however late an older one arrives",
      [row({}), row({ id: 9 as ObservationId, text: "550", observedAt: at(-9) })],
      [],
      "570",
    ],
    ["a required source that is silent is never outvoted", [row({})], ["ssh"], "never_observed"],
    ["nothing at all", [], [], "never_observed"],
  ])("%s", (_title, rows, required, expected) => {
    const known = latestValid(rows, required, now, "host_report", NOW);
    expect(known.is === "value" ? known.value : known.because).toBe(expected);
  });
});

describe("the four layers (R1)", () => {
  const [def, model, instance] = ["cluster_definition", "vmss_model", "instance_model"] as const;
  it("model unchanged: a reimage is expected to reproduce the old image (S1 a)", () => {
    const rows = [
      seen(def, "image", "24.09.02"),
      seen(model, "image", "24.08.01"),
      seen(instance, "image", "24.08.01"),
      seen("host_report", "os", "24.08"),
    ];
    expect(say(image, rows)).toEqual([
      "Reimaging n1 now is expected to reproduce 24.08.01: the scale-set model is unchanged. Apply the model first.",
      "The definition says 24.09.02, the model 24.08.01: new nodes may get either. The plan does not declare this: it blocks.",
    ]);
    expect(verdicts(image, rows)).toEqual(["matches", "differs", "differs", "differs"]);
  });
  it("model changed, instance not: pending (S1 b)", () => {
    const rows = [
      seen(def, "image", "24.09.02"),
      seen(model, "image", "24.09.02"),
      seen(instance, "image", "24.08.01"),
      seen("host_report", "os", "24.08"),
    ];
    expect(say(image, rows)[0]).toBe("The model is changed; n1 keeps its image until the model is applied to it and it is reimaged.");
  });
  it("the platform says applied, the host says otherwise: sources disagree (S1 d)", () => {
    const rows = [
      seen(def, "image", "24.09.02"),
      seen(model, "image", "24.09.02"),
      seen(instance, "image", "24.09.02"),
      seen("host_report", "os", "24.08"),
    ];
    expect(say(image, rows)[0]).toMatch(/^The platform says 24.09.02 on n1, the host says os 24.08/);
  });
  it("an image without a host fact to know it by stays unknown (R1.5)", () => {
    expect(verdicts({ ...image, hostProof: [] }, [])[3]).toBe("unknown");
  });
  it("a driver needs loaded module and library: one missing or another is unknown, never a match (R1.5)", () => {
    const bare = { ...site, scaleSet: false };
    const host = (component: Component, text: string) => seen("host_report", component, text);
    expect(verdicts(driver, [host("gpu_driver", "570")], bare)[3]).toBe("unknown");
    expect(verdicts(driver, [host("gpu_driver", "570"), host("gpu_driver_library", "571")], bare)[3]).toBe("unknown");
    expect(verdicts(driver, [host("gpu_driver", "570"), host("gpu_driver_library", "570")], bare)).toEqual([
      "unknown",
      "not_applicable",
      "not_applicable",
      "matches",
    ]);
    expect(verdicts(driver, [host("gpu_driver", "550"), host("gpu_driver_library", "550")], bare)[3]).toBe("differs");
  });
  it("persistence none and firmware ask for no definition (R1.6)", () => {
    expect(verdicts({ ...driver, persistence: { kind: "none" } }, [])[0]).toBe("not_applicable");
    expect(verdicts({ component: "hca_firmware", text: "28.43", persistence: { kind: "in_the_device" } }, [])).toEqual([
      "not_applicable",
      "not_applicable",
      "not_applicable",
      "unknown",
    ]);
  });
  it("after a rollback the same layers are held against the saved version", () => {
    const rows = [seen("host_report", "gpu_driver", "550"), seen("host_report", "gpu_driver_library", "550")];
    const board = compareConfig(driver, rows, epochs, NOW, { ...site, prior: "550" });
    expect([board.now.host_report.verdict, board.afterRollback?.host_report.verdict]).toEqual(["differs", "matches"]);
    expect(board.complete).toBe(false);
  });
});
