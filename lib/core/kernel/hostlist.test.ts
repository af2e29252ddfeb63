import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expandHostlist, foldHostlist } from "./hostlist";

const names = (text: string): readonly string[] => {
  const read = expandHostlist(text);
  if (!read.ok) throw new Error(read.error.because);
  return read.value;
};

describe("expandHostlist", () => {
  it.each([
    ["gpu001", ["gpu001"]],
    ["gpu[001-003]", ["gpu001", "gpu002", "gpu003"]],
    ["gpu[8-11]", ["gpu8", "gpu9", "gpu10", "gpu11"]],
    ["gpu[08-10,3]", ["gpu08", "gpu09", "gpu10", "gpu3"]],
    ["r[1-2]n[1-2]", ["r1n1", "r1n2", "r2n1", "r2n2"]],
    ["a, b[1-2]-ib ,c", ["a", "b1-ib", "b2-ib", "c"]],
    ["n[1-2,1[0-1]]", ["n1", "n2", "n10", "n11"]],
    ["a,a,a", ["a"]],
    ["[1-2]", ["1", "2"]],
  ])("reads %s", (text, expected) => expect(names(text)).toEqual(expected));

  it.each([
    ["", "empty"],
    ["  ", "empty"],
    ["gpu[", "syntax"],
    ["gpu[1-3", "syntax"],
    ["gpu1]", "syntax"],
    ["gpu[]", "syntax"],
    ["gpu[3-1]", "syntax"],
    ["a,,b", "syntax"],
    ["a,", "syntax"],
    ["gpu 1", "syntax"],
    ["gpu;rm", "syntax"],
    ["gpu\u0000", "syntax"],
    ["[".repeat(20), "syntax"],
    ["gpu[0-100000]", "too_many"],
    ["gpu[1-99999][1-99999]", "too_many"],
    ["gpu[1-99999],x[1-99999]", "too_many"],
    [`gpu[1-${"9".repeat(30)}]`, "syntax"],
    ["x".repeat(254), "syntax"],
  ])("refuses %j as %s and names the place", { timeout: 30_000 }, (text, code) => {
    const read = expandHostlist(text);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.error.code).toBe(code);
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."g1[]-,0 2x".split("")) }), (text) => typeof expandHostlist(text).ok === "boolean"),
    );
  });
});

describe("foldHostlist", () => {
  it.each([
    [["gpu002", "gpu001", "gpu003"], "gpu[001-003]"],
    [["n8", "n9", "n10", "n12"], "n[8-10,12]"],
    [["n9", "n09", "n10"], "n[9,09-10]"],
    [["login", "gpu1"], "gpu1,login"],
    [["a1.x", "a2.x", "a3.y"], "a[1-2].x,a3.y"],
    [[], ""],
  ])("folds %j", (list, text) => expect(foldHostlist(list)).toBe(text));

  it("expands to the same names", () => {
    const name = fc.stringMatching(/^[a-z]{1,2}[0-9]{1,3}(-ib)?$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), (list) => {
        expect([...names(foldHostlist(list))].sort()).toEqual([...new Set(list)].sort());
      }),
    );
  });
});
