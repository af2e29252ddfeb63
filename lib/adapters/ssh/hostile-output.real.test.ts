import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "@/lib/testing/lab/child";
import { requireReal } from "@/lib/testing/lab/require-real";
import { reaching, startSshd, type SshdLab } from "@/lib/testing/lab/sshd";
import { sshShell, type SshShell } from "./ssh-shell";

const real = requireReal("sshd");
const HOST = { node: "gpu001" } as const;
const MIB = 1024 * 1024;

const PRINTED: Readonly<Record<string, Uint8Array>> = {
  "invalid UTF-8": Uint8Array.from([0xff, 0xfe, 0xc3, 0x28, 0x0a, 0xe2, 0x82]),
  "NULs among text": Uint8Array.from([0x61, 0, 0x62, 0, 0, 0x0a]),
  "every byte there is": Uint8Array.from({ length: 256 }, (_, byte) => byte),
  "terminal sequences": Buffer.from("\u001b[2J\u001b]0;owned\u0007\r\n\u009b31m"),
  "one line of 3 MiB": new Uint8Array(3 * MIB).fill(0x78),
  "300,000 empty lines": new Uint8Array(300_000).fill(0x0a),
  "our own words about an end": Buffer.from("ended 0 1 1 0 0\nrunning\nlost\nstarted\n"),
  nothing: new Uint8Array(),
};

describe.skipIf(!real)("what a host prints comes over a real SSH byte by byte, and is cut where it says so", () => {
  let lab: SshdLab;
  let shell: SshShell;
  let file = "";
  beforeAll(async () => {
    lab = await startSshd();
    file = join(lab.root, "printed");
    shell = sshShell(reaching(lab));
  });
  afterAll(async () => {
    shell.close();
    await lab.stop();
  });

  let nth = 0;
  async function detached(command: string) {
    nth += 1;
    const started = await shell.start(HOST, `CH-1/gpu001/start_run.${nth}/1`, command, 60_000);
    if (!started.ok) throw new Error(started.error.because);
    return await until("the command ends", 20, async () => {
      const seen = await shell.poll(HOST, started.value);
      if (!seen.ok) throw new Error(seen.error.because);
      return seen.value.is === "ended" ? seen.value : null;
    });
  }

  it.each(Object.keys(PRINTED))("%s", async (name) => {
    const printed = Buffer.from(PRINTED[name] ?? []);
    writeFileSync(file, printed);
    const command = `cat ${file}; cat ${file} >&2; exit 3`;
    const run = await shell.run(HOST, command, { timeoutMs: 30_000, maxBytes: 16 * MIB });
    if (!run.ok) throw new Error(run.error.because);
    for (const end of [run.value, await detached(command)]) {
      expect([end.exitCode, end.truncated]).toEqual([3, false]);
      expect(Buffer.from(end.stdout).equals(printed)).toBe(true);
      expect(Buffer.from(end.stderr).equals(printed)).toBe(true);
    }
    const read = await shell.readFile(HOST, file, 16 * MIB);
    expect(read.ok && !read.value.truncated && Buffer.from(read.value.bytes).equals(printed)).toBe(true);
  });

  it("17 MiB are cut at the limit, and said to be, by all three ways", async () => {
    writeFileSync(file, new Uint8Array(17 * MIB).fill(0x79));
    const run = await shell.run(HOST, `cat ${file}`, { timeoutMs: 30_000, maxBytes: 16 * MIB });
    expect(run.ok && [run.value.truncated, run.value.stdout.byteLength]).toEqual([true, 16 * MIB]);
    const read = await shell.readFile(HOST, file, 16 * MIB);
    expect(read.ok && [read.value.truncated, read.value.bytes.byteLength]).toEqual([true, 16 * MIB]);
    const end = await detached(`cat ${file}`);
    expect(end.truncated).toBe(true);
    expect(end.stdout.byteLength).toBeLessThanOrEqual(16 * MIB);
  });

  it("a boot id that is none is no boot id", async () => {
    for (const name of Object.keys(PRINTED)) {
      writeFileSync(lab.bootIdFile, PRINTED[name] ?? "");
      expect(await shell.bootId(HOST), name).toMatchObject({ ok: false, error: { code: "unreadable" } });
    }
  });
});
