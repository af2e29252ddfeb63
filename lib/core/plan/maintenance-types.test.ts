import { describe, expect, it } from "vitest";
import { aPlan } from "@/lib/testing/a-plan";
import { batchesWithin, workAndTotal } from "./duration";
import { goalOf, isRebootNeeded, profileOf } from "./goal";
import { MAINTENANCE_TYPES } from "./maintenance-types";
import { MAINTENANCE_TYPE_NAMES } from "./plan";
import { procedureOf } from "./procedure";

describe("maintenance types", () => {
  it.each(MAINTENANCE_TYPE_NAMES)("%s ends in a plausible time and has a procedure", (type) => {
    const { minutes } = MAINTENANCE_TYPES[type];
    expect(minutes.minMinutes).toBeLessThanOrEqual(minutes.maxMinutes);
    expect(procedureOf(aPlan({ type, ...(type === "vmss_image" ? { update: [] } : {}) })).length).toBeGreaterThan(0);
  });

  it("does the plan's own commands, then reboots where the type needs it", () => {
    expect(procedureOf(aPlan()).map((s) => s.kind)).toEqual(["start_update", "reboot"]);
    expect(procedureOf(aPlan({ type: "cuda_toolkit" })).map((s) => s.kind)).toEqual(["start_update"]);
    expect(procedureOf(aPlan({ type: "vmss_image", update: [] })).map((s) => s.kind)).toEqual(["set_model", "apply_model", "reimage"]);
    expect(isRebootNeeded(aPlan())).toBe(true);
    expect(isRebootNeeded(aPlan({ type: "cuda_toolkit" }))).toBe(false);
  });

  it("follows the profile of its risk, of an emergency, or of a rehearsal (R7.5)", () => {
    expect(profileOf(aPlan(), false)).toBe("medium");
    expect(profileOf(aPlan({ type: "os_kernel" }), false)).toBe("low");
    expect(profileOf(aPlan({ type: "ib_hca_firmware" }), false)).toBe("high");
    expect(profileOf(aPlan({ urgency: "emergency" }), false)).toBe("emergency");
    expect(profileOf(aPlan({ urgency: "emergency" }), true)).toBe("rehearsal");
  });

  it("wants one component at one exact version", () => {
    expect(goalOf(aPlan())).toMatchObject({ component: "gpu_driver", text: "570.172.08", persistence: { kind: "config-management" } });
    const image = { publisher: "p", offer: "o", sku: "s", version: "24.09.02" };
    const plan = aPlan({ type: "vmss_image", target: { nodes: "a", selector: null, version: null, image, hostProof: { kernel: "5.15" } } });
    expect(goalOf(plan)).toMatchObject({
      component: "image",
      text: "p:o:s:24.09.02",
      hostProof: [{ component: "kernel", expect: "5.15" }],
    });
  });
});

describe("time shown", () => {
  it("is 4h00-5h20 of work and 5h15-6h35 with delays for 16 batches of HCA firmware (S2)", () => {
    expect(workAndTotal(16, MAINTENANCE_TYPES.ib_hca_firmware.minutes, 300_000)).toEqual({
      work: { minMinutes: 240, maxMinutes: 320 },
      delaysMinutes: 75,
      total: { minMinutes: 315, maxMinutes: 395 },
    });
  });

  it("says how many batches surely fit", () => {
    expect(batchesWithin(480, MAINTENANCE_TYPES.gpu_driver.minutes, 300_000)).toBe(24);
    expect(batchesWithin(10, MAINTENANCE_TYPES.gpu_driver.minutes, 300_000)).toBe(0);
  });
});
