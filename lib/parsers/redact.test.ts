import { describe, expect, it } from "vitest";
import { redact } from "./redact";

const run = (text: string) => {
  const { bytes, redactions } = redact(new TextEncoder().encode(text));
  return { text: new TextDecoder().decode(bytes), redactions };
};

describe("redacting evidence before it is stored", () => {
  it.each([
    ["Authorization: Bearer abc.def-123", "Authorization: Bearer [redacted]"],
    ["SLURM_JWT=eyJhbGciOi", "SLURM_JWT=[redacted]"],
    ['"HF_TOKEN=hf_abcdef"', '"HF_TOKEN=[redacted]"'],
    ['"routing_key": "R0123"', '"routing_key": "[redacted]"'],
    ["db password = hunter2 next", "db password = [redacted] next"],
    ["x eyJhbGciOiJI.eyJzdWIiOiIx.sig y", "x [redacted] y"],
    [
      "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\ndef\n-----END OPENSSH PRIVATE KEY-----",
      "-----BEGIN OPENSSH PRIVATE KEY-----[redacted]-----END OPENSSH PRIVATE KEY-----",
    ],
  ])("%s", (given, kept) => expect(run(given)).toEqual({ text: kept, redactions: 1 }));

  it("leaves everything else byte for byte, also what is not UTF-8", () => {
    const bytes = Uint8Array.from([0xff, 0x00, 0xc3, 0x28, 0x0a, 0x67]);
    expect(redact(bytes)).toEqual({ bytes, redactions: 0 });
  });
});
