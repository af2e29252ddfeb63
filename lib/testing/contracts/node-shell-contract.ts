import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { until } from "@/lib/testing/lab/child";
import type { FolderHandle, NodeShell, ShellHost } from "@/lib/ports/node-shell";

type NodeShellWorld = {
  readonly shell: NodeShell;
  readonly host: ShellHost;
  /** A writable absolute folder on the host. */
  readonly folder: string;
  /** Makes the host come up with another boot id, or null where the world cannot. */
  readonly changeBootId: (() => Promise<void>) | null;
  stop(): Promise<void>;
};

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");
let keys = 0;
const newKey = (): string => `0193-change/gpu001/start_update.${process.pid}-${++keys}/1`;

/** What every NodeShell must do, whatever is behind it. */
export function nodeShellContract(name: string, makeWorld: () => Promise<NodeShellWorld>): void {
  describe(`NodeShell: ${name}`, () => {
    let world: NodeShellWorld;
    beforeAll(async () => {
      world = await makeWorld();
    }, 60_000);
    afterAll(() => world?.stop(), 60_000);

    const run = (command: string, timeoutMs = 10_000) => world.shell.run(world.host, command, { timeoutMs });
    const start = async (command: string, key = newKey(), timeoutMs = 60_000): Promise<FolderHandle> => {
      const started = await world.shell.start(world.host, key, command, timeoutMs);
      if (!started.ok) throw new Error(started.error.because);
      return started.value;
    };
    const ended = (handle: FolderHandle) =>
      until(`${handle.folder} ends`, 20, async () => {
        const seen = await world.shell.poll(world.host, handle);
        if (!seen.ok) throw new Error(seen.error.because);
        return seen.value.is === "running" ? null : seen.value;
      });

    it("runs a command: both outputs and the exit code, R2.4", async () => {
      const end = await run("echo out; echo err >&2; exit 3");
      if (!end.ok) throw new Error(end.error.because);
      expect(end.value).toMatchObject({ exitCode: 3, truncated: false });
      expect([text(end.value.stdout), text(end.value.stderr)]).toEqual(["out\n", "err\n"]);
      expect(end.value.endedAt.getTime()).toBeGreaterThanOrEqual(end.value.startedAt.getTime());
    });

    it("says when output was cut", async () => {
      const end = await world.shell.run(world.host, "head -c 5000 /dev/zero", { timeoutMs: 10_000, maxBytes: 1000 });
      if (!end.ok) throw new Error(end.error.because);
      expect(end.value).toMatchObject({ exitCode: 0, truncated: true });
      expect(end.value.stdout.byteLength).toBe(1000);
    });

    it("a timeout is timed_out and says that the command may still run", async () => {
      const end = await run("sleep 20", 500);
      expect(end).toMatchObject({
        ok: false,
        error: { code: "timed_out", because: expect.stringContaining("may still be running") as string },
      });
      expect(await run("echo still here")).toMatchObject({ ok: true, value: { exitCode: 0 } });
    });

    it("many commands side by side get their own answers", async () => {
      const ends = await Promise.all(Array.from({ length: 20 }, (_, i) => run(`echo answer ${i}`)));
      expect(ends.map((end) => (end.ok ? text(end.value.stdout) : end.error.because))).toEqual(
        Array.from({ length: 20 }, (_, i) => `answer ${i}\n`),
      );
    });

    it("reads files, cut at the limit, and says not_found", async () => {
      await run(`printf 0123456789 >'${world.folder}/ten bytes'`);
      const whole = await world.shell.readFile(world.host, `${world.folder}/ten bytes`, 10);
      expect(whole.ok && [text(whole.value.bytes), whole.value.truncated]).toEqual(["0123456789", false]);
      const cut = await world.shell.readFile(world.host, `${world.folder}/ten bytes`, 9);
      expect(cut.ok && [text(cut.value.bytes), cut.value.truncated]).toEqual(["012345678", true]);
      expect(await world.shell.readFile(world.host, `${world.folder}/$(id)`, 9)).toMatchObject({ ok: false, error: { code: "not_found" } });
    });

    it("R3.6: the folder for what runs there is there before anything has run", async () => {
      const folder = await world.shell.stateFolder(world.host);
      if (!folder.ok) throw new Error(folder.error.because);
      expect(await world.shell.stateFolder(world.host)).toEqual(folder);
      expect(await exitOf(run(`test -d '${folder.value}' && touch '${folder.value}/output'`))).toBe(0);
    });

    it("R9.4: a detached command outlives its start and ends with its exit code", async () => {
      const handle = await start(`echo begun; while [ ! -e '${world.folder}/go' ]; do sleep 0.1; done; echo done >&2; exit 7`);
      expect(await world.shell.poll(world.host, handle)).toEqual({ ok: true, value: { is: "running" } });
      await run(`touch '${world.folder}/go'`);
      const end = await ended(handle);
      if (end.is !== "ended") throw new Error(end.is);
      expect(end).toMatchObject({ exitCode: 7, truncated: false });
      expect([text(end.stdout), text(end.stderr)]).toEqual(["begun\n", "done\n"]);
    });

    it("a second start with the same key runs nothing and finds the first", async () => {
      const key = newKey();
      const command = `echo x >>'${world.folder}/twice'; sleep 1`;
      const [one, two] = await Promise.all([1, 2].map(() => world.shell.start(world.host, key, command, 60_000)));
      const third = await world.shell.start(world.host, key, command, 60_000);
      if (!one?.ok || !two?.ok || !third.ok) throw new Error("a start failed");
      expect([one.value.again, two.value.again].sort()).toEqual([false, true]);
      expect(third.value).toMatchObject({ folder: one.value.folder, again: true });
      await ended(one.value);
      expect(await run(`cat '${world.folder}/twice'`).then((end) => end.ok && text(end.value.stdout))).toBe("x\n");
    });

    it("nothing in a command is expanded on the way", async () => {
      const end = await ended(await start(`printf '%s' 'a "b" $(echo no) \`echo no\` it'"'"'s' ; echo; echo "$((1 + 1))"`));
      expect(end.is === "ended" && text(end.stdout)).toBe('a "b" $(echo no) `echo no` it\'s\n2\n');
    });

    it("stop ends a running command and everything it started", async () => {
      const handle = await start(`sleep 300 & echo $! >'${world.folder}/child'; wait`);
      await until(
        "it has begun",
        10,
        async () => (await run(`test -s '${world.folder}/child'`)).ok && (await exitOf(run(`test -s '${world.folder}/child'`))) === 0,
      );
      expect(await world.shell.stop(world.host, handle)).toEqual({ ok: true, value: undefined });
      const end = await ended(handle);
      expect(end.is === "ended" && end.exitCode).toBeGreaterThan(0);
      // dead, or dead and not yet reaped
      const state = await run(`cut -d' ' -f3 "/proc/$(cat '${world.folder}/child')/stat" 2>/dev/null || echo gone`);
      expect(["gone\n", "Z\n"]).toContain(state.ok && text(state.value.stdout));
      expect((await world.shell.stop(world.host, handle)).ok).toBe(true);
    });

    it("its own time limit ends a command", async () => {
      const end = await ended(await start("sleep 60", newKey(), 1000));
      expect(end).toMatchObject({ is: "ended", exitCode: 124 });
    });

    it("a killed command is lost, never ended well", async () => {
      const handle = await start("sleep 300");
      await until("it has begun", 10, async () => (await exitOf(run(`test -s '${handle.folder}/pid'`))) === 0);
      await run(`read -r runner a group b <'${handle.folder}/pid'; kill -KILL "$runner" "-$group" "$group"`);
      expect(await ended(handle)).toMatchObject({ is: "lost" });
    });

    it("a folder that is gone is lost, and cannot be stopped", async () => {
      const handle = await start("true");
      await ended(handle);
      await run(`rm -rf '${handle.folder}'`);
      expect(await world.shell.poll(world.host, handle)).toMatchObject({ ok: true, value: { is: "lost" } });
      expect(await world.shell.stop(world.host, handle)).toMatchObject({ ok: false, error: { code: "not_found" } });
    });

    it("refuses a handle outside its folder, a NUL and an empty key", async () => {
      const outside = { folder: "/etc", bootId: null };
      expect(await world.shell.poll(world.host, outside)).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(await world.shell.stop(world.host, outside)).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(await run("echo a\0b")).toMatchObject({ ok: false, error: { code: "refused" } });
      expect(await world.shell.start(world.host, "", "true", 1000)).toMatchObject({ ok: false, error: { code: "refused" } });
    });

    it("R9.4: after a reboot a running command is lost, an ended one keeps its end", async () => {
      if (world.changeBootId === null) return;
      const done = await start("echo kept");
      await ended(done);
      const running = await start("sleep 300");
      const before = await world.shell.bootId(world.host);
      await world.changeBootId();
      const after = await world.shell.bootId(world.host);
      expect(before.ok && after.ok && before.value !== after.value).toBe(true);
      expect(before.ok && running.bootId === before.value).toBe(true);
      expect(await world.shell.poll(world.host, running)).toMatchObject({
        ok: true,
        value: { is: "lost", because: expect.stringContaining("rebooted") as string },
      });
      expect(await world.shell.poll(world.host, done)).toMatchObject({ ok: true, value: { is: "ended", exitCode: 0 } });
    });
  });
}

async function exitOf(ended: ReturnType<NodeShell["run"]>): Promise<number | null> {
  const end = await ended;
  if (!end.ok) throw new Error(end.error.because);
  return end.value.exitCode;
}
