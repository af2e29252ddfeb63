import fc from "fast-check";
import { expect, it } from "vitest";
import { driftOf } from "./drift";

const node = (name: string, driver: string | null, classLabel = "h100", wanted: string | null = null) => ({
  name,
  classLabel,
  wanted,
  reported: (driver === null ? {} : { gpu_driver: { text: driver } }) as Readonly<Record<string, { readonly text: string }>>,
});

it("a node that reports another version than most of its class differs, with both sides", () => {
  const nodes = [node("a", "1"), node("b", "1"), node("c", "2"), node("d", null), node("x", "2", "a100")];
  expect([...driftOf(nodes)]).toEqual([["c", [{ component: "gpu_driver", has: "2", most: "1" }]]]);
});

it("without a majority nobody drifts, and what was never reported is no difference", () => {
  expect(driftOf([node("a", "1"), node("b", "2")]).size).toBe(0);
  expect(driftOf([node("a", "1"), node("b", "1"), node("c", null)]).size).toBe(0);
});

it("a node that has what its change brings does not differ, one that has neither does", () => {
  const nodes = [node("a", "1"), node("b", "1"), node("c", "1"), node("d", "2", "h100", "2"), node("e", "3", "h100", "2")];
  expect([...driftOf(nodes).keys()]).toEqual(["e"]);
});

it("fewer than half of a class can differ, in any mixture", () => {
  const versions = fc.array(fc.constantFrom("1", "2", "3", null), { maxLength: 30 });
  fc.assert(
    fc.property(versions, (all) => {
      const nodes = all.map((version, i) => node(`n${i}`, version));
      const reporting = all.filter((version) => version !== null).length;
      expect(driftOf(nodes).size * 2).toBeLessThanOrEqual(Math.max(0, reporting - 1));
    }),
  );
});
