import { afterEach, beforeEach, expect, vi } from "vitest";

const CHANNELS = ["log", "info", "warn", "error", "debug"] as const;
let said: string[] = [];

// Unexpected console output fails a test: nobody reads it otherwise.
beforeEach(() => {
  said = [];
  for (const channel of CHANNELS) {
    vi.spyOn(console, channel).mockImplementation((...words: unknown[]) => {
      said.push(`console.${channel}: ${words.map(String).join(" ")}`);
    });
  }
});

afterEach(() => {
  for (const channel of CHANNELS) vi.mocked(console[channel]).mockRestore?.();
  expect(said, "unexpected console output").toEqual([]);
});
