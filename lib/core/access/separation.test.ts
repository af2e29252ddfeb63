import { describe, expect, it } from "vitest";
import { AK, DV, MR } from "@/lib/testing/a-person";
import { isOwnWork } from "./separation";

const separation = { authorIds: [AK], ranIds: [AK, DV] };
describe("isOwnWork (R4.4)", () => {
  it.each([
    ["whoever wrote a revision wrote it, even if they also ran it", AK, "wrote"],
    ["whoever issued any command ran it", DV, "ran"],
    ["anybody else is apart", MR, null],
  ] as const)("%s", (_says, person, answer) => expect(isOwnWork(person, separation)).toBe(answer));
});
