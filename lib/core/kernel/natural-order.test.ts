import fc from "fast-check";
import { expect, it } from "vitest";
import { byName } from "./natural-order";

it("orders names as people do", () => {
  expect(["gpu10", "gpu9", "GPU8", "gpu009", "a2b10", "a2b9"].sort(byName)).toEqual(["a2b9", "a2b10", "GPU8", "gpu009", "gpu9", "gpu10"]);
});

it("is a total order: equal only for equal names", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (a, b) => (byName(a, b) === 0) === (a === b) && Math.sign(byName(a, b)) === -Math.sign(byName(b, a)),
    ),
  );
});
