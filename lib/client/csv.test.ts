import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";

import { csvOf } from "./csv";

test("what is read back is what was written, whatever stands in the cells", () => {
  const cell = fc.string({ maxLength: 12 }).filter((text) => !/^[=+\-@\t\r]/.test(text));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(table, (rows) => {
      expect(parse(csvOf(["a", "b"], rows), { record_delimiter: "\r\n" })).toEqual([["a", "b"], ...rows]);
    }),
  );
});

test.each(["=1+1", "+1", "-1", "@sum", "\tx", "\rx"])("%j is no formula in a spreadsheet", (evil) => {
  expect(parse(csvOf(["a"], [[evil]]), { record_delimiter: "\r\n" })[1]).toEqual([`'${evil}`]);
});
