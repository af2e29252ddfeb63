import { expect, it, vi } from "vitest";
import { runStage } from "./stage";

it("a stage that failed names what failed, on whichever stream its runner says so", async () => {
  const quiet = [vi.spyOn(process.stderr, "write"), vi.spyOn(process.stdout, "write")].map((one) => one.mockReturnValue(true));
  vi.mocked(console.log).mockImplementation(() => undefined);
  const script = `console.error(" FAIL  paths a.path.test.ts > it goes\\nError: it did not"); console.log(" Tests  1 failed | 2 passed (3)"); process.exit(1)`;
  const end = await runStage({ name: "planted", argv: ["-e", script], env: process.env });
  for (const one of quiet) one.mockRestore();
  expect(console.log).toHaveBeenCalledWith("\n=== planted");
  expect(end).toMatchObject({ name: "planted", good: false });
  expect([...end.closing].sort()).toEqual(["Error: it did not", "FAIL  paths a.path.test.ts > it goes", "Tests  1 failed | 2 passed (3)"]);
});
