import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { nodeShellContract } from "@/lib/testing/contracts/node-shell-contract";
import { until } from "@/lib/testing/lab/child";
import { requireReal } from "@/lib/testing/lab/require-real";
import { reaching, startSshd } from "@/lib/testing/lab/sshd";
import type { SshdLab } from "@/lib/testing/lab/sshd";
import { makeSshKey, knownHostLine } from "@/lib/testing/lab/ssh-keys";
import type { SshOptions } from "./ssh-options";
import { sshShell } from "./ssh-shell";

const real = requireReal("sshd");
const HOST = { node: "gpu001" } as const;

const optionsFor = (lab: SshdLab): SshOptions => reaching(lab);

describe.skipIf(!real)("SSH against a real sshd", () => {
  nodeShellContract("real sshd", async () => {
    const lab = await startSshd();
    const shell = sshShell(optionsFor(lab));
    return {
      shell,
      host: HOST,
      folder: lab.root,
      changeBootId: async () => lab.changeBootId(),
      stop: async () => {
        shell.close();
        await lab.stop();
      },
    };
  });

  describe("connections", () => {
    let lab: SshdLab;
    let other: SshdLab;
    beforeAll(async () => {
      [lab, other] = await Promise.all([startSshd(), startSshd()]);
    });
    afterAll(() => Promise.all([lab.stop(), other.stop()]));

    async function runWith(change: Partial<SshOptions>, host: Parameters<ReturnType<typeof sshShell>["run"]>[0] = HOST) {
      const shell = sshShell({ ...optionsFor(lab), ...change });
      const end = await shell.run(host, "echo $SSH_CONNECTION", { timeoutMs: 10_000 });
      shell.close();
      return end;
    }

    it("R9.8: an unknown host key is refused with its fingerprint and what to do", async () => {
      const end = await runWith({ knownHosts: () => "" });
      expect(end).toMatchObject({
        ok: false,
        error: { code: "refused", because: expect.stringMatching(/SHA256:.+known hosts|known hosts.+SHA256:/) as string },
      });
    });

    it("R9.8: a changed host key is refused", async () => {
      const changed = `${knownHostLine("127.0.0.1", lab.port, makeSshKey())}\n`;
      expect(await runWith({ knownHosts: () => changed })).toMatchObject({
        ok: false,
        error: { code: "refused", because: expect.stringContaining("has changed") as string },
      });
    });

    it("a wrong key is denied, and the error holds no key", async () => {
      const end = await runWith({ privateKey: makeSshKey().privateKey });
      expect(end).toMatchObject({ ok: false, error: { code: "denied" } });
      expect(JSON.stringify(end)).not.toContain("PRIVATE");
      expect(await runWith({ privateKey: "junk" })).toMatchObject({ ok: false, error: { code: "denied" } });
    });

    it("no listener is unreachable, a silent one timed_out", async () => {
      const nowhere = { hosts: { gpu001: { host: "127.0.0.1", port: 1 } } };
      expect(await runWith({ nodes: nowhere })).toMatchObject({ ok: false, error: { code: "unreachable" } });
      const { createServer } = await import("node:net");
      const silent = createServer(() => undefined);
      await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
      const { port } = silent.address() as { port: number };
      const end = await runWith({ nodes: { hosts: { gpu001: { host: "127.0.0.1", port } } }, connectTimeoutMs: 300 });
      silent.close();
      expect(end).toMatchObject({ ok: false, error: { code: "timed_out" } });
    });

    it("a host without address and a hostile name go nowhere", async () => {
      expect(await runWith({}, { node: "gpu999" })).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(await runWith({}, { node: "__proto__" })).toMatchObject({ ok: false, error: { code: "refused" } });
      const template = { template: "{node}", port: lab.port };
      expect(await runWith({ nodes: template }, { node: "x;reboot" })).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(await runWith({}, { head: true })).toMatchObject({ ok: false, error: { code: "refused" } });
    });

    it("one connection serves many runs and a lost one is replaced", async () => {
      const shell = sshShell(optionsFor(lab));
      const ask = async (): Promise<string> => {
        const end = await shell.run(HOST, "echo $SSH_CONNECTION; echo $PPID", { timeoutMs: 10_000 });
        if (!end.ok) throw new Error(end.error.because);
        return Buffer.from(end.value.stdout).toString();
      };
      const first = await ask();
      expect(await ask()).toBe(first);
      const killed = await shell.run(HOST, "kill -KILL $PPID; sleep 5", { timeoutMs: 10_000 });
      expect(killed).toMatchObject({
        ok: false,
        error: { code: "unreachable", because: expect.stringContaining("may still be running") as string },
      });
      expect(await ask()).not.toBe(first);
      shell.close();
    });

    it("an idle connection is closed", async () => {
      const shell = sshShell({ ...optionsFor(lab), idleMs: 50 });
      const ask = async (): Promise<string> => {
        const end = await shell.run(HOST, "echo $SSH_CONNECTION", { timeoutMs: 10_000 });
        return end.ok ? Buffer.from(end.value.stdout).toString() : end.error.because;
      };
      const first = await ask();
      const later = await until("a new connection", 10, async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        const now = await ask();
        return now === first ? null : now;
      });
      expect(later).toContain("127.0.0.1");
      shell.close();
    });

    it("through a jump host, both host keys checked", async () => {
      const jump = { host: "127.0.0.1", port: other.port };
      const both = (): string => lab.knownHosts + other.knownHosts;
      const keys = lab.privateKey;
      // both hosts accept the same client in real life; here the jump host is told to
      const { appendFileSync } = await import("node:fs");
      const ssh2 = (await import("ssh2")).default;
      const parsed = ssh2.utils.parseKey(keys);
      if (parsed instanceof Error) throw parsed;
      appendFileSync(`${other.root}/etc/authorized_keys`, `${parsed.type} ${parsed.getPublicSSH().toString("base64")}\n`);
      expect(await runWith({ jump, knownHosts: both })).toMatchObject({ ok: true, value: { exitCode: 0 } });
      const resting = sshShell({ ...optionsFor(lab), jump, knownHosts: both, idleMs: 100 });
      // the jump host's connection must outlast its own idle time while a tunnel is used
      const long = await resting.run(HOST, "sleep 1; echo still here", { timeoutMs: 10_000 });
      expect(long.ok && Buffer.from(long.value.stdout).toString()).toBe("still here\n");
      resting.close();
      expect(await runWith({ jump })).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(await runWith({ jump, knownHosts: () => other.knownHosts })).toMatchObject({ ok: false, error: { code: "refused" } });
    });

    it("R9.4: a host whose connection is full is asked again, and runs each command once", async () => {
      const narrow = await startSshd({ maxSessions: 2 });
      const shell = sshShell(optionsFor(narrow));
      const ends = await Promise.all(
        Array.from({ length: 6 }, (_, i) => shell.run(HOST, `echo ${i} >>'${narrow.root}/ran'; sleep 0.1`, { timeoutMs: 10_000 })),
      );
      const ran = await shell.readFile(HOST, `${narrow.root}/ran`, 100);
      shell.close();
      await narrow.stop();
      expect(ends.map((end) => end.ok || end.error.because)).toEqual(ends.map(() => true));
      expect(ran.ok && Buffer.from(ran.value.bytes).toString().trim().split("\n").sort()).toEqual(["0", "1", "2", "3", "4", "5"]);
    });

    it("the reboot order is sent and may take the connection with it", async () => {
      const shell = sshShell({ ...optionsFor(lab), rebootCommand: "kill -KILL $PPID" });
      expect(await shell.reboot(HOST)).toEqual({ ok: true, value: undefined });
      shell.close();
      const refusing = sshShell({ ...optionsFor(lab), rebootCommand: "echo no >&2; exit 1" });
      expect(await refusing.reboot(HOST)).toMatchObject({
        ok: false,
        error: { code: "refused", because: expect.stringContaining("no") as string },
      });
      refusing.close();
    });
  });
});
