import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir, userInfo } from "node:os";

import { startChild, until } from "./child";
import { freePorts } from "./free-ports";
import { knownHostLine, makeSshKey, writeSshdConfig } from "./ssh-keys";

export type SshdLab = {
  readonly port: number;
  readonly user: string;
  readonly privateKey: string;
  readonly knownHosts: string;
  /** Folder of this host: put files here, read what commands left. */
  readonly root: string;
  readonly stateDir: string;
  readonly bootIdFile: string;
  /** A new boot id, as after a reboot; processes are not touched. */
  changeBootId(): void;
  stop(): Promise<void>;
};

/** One real sshd on loopback with a fresh host key and one accepted client key. */
export async function startSshd(settings: { readonly maxSessions?: number } = {}): Promise<SshdLab> {
  const root = mkdtempSync(`${tmpdir()}/sshd-lab-`);
  const [hostKey, client, port] = [makeSshKey(), makeSshKey(), await freePorts([0])];
  mkdirSync(`${root}/proc`);
  const bootIdFile = `${root}/proc/boot_id`;
  const changeBootId = (): void => writeFileSync(bootIdFile, `${crypto.randomUUID()}\n`);
  changeBootId();
  const config = writeSshdConfig({ folder: `${root}/etc`, port, hostKey, client, env: { NODE_ROOT: root }, ...settings });
  const child = startChild("/usr/sbin/sshd", ["-D", "-e", "-f", config], `${root}/sshd.log`);
  await until("sshd listens", 10, async () => {
    if (!child.isAlive()) throw new Error(`sshd ended: ${child.log()}`);
    return await listens(port);
  });
  return {
    port,
    user: userInfo().username,
    privateKey: client.privateKey,
    knownHosts: `${knownHostLine("127.0.0.1", port, hostKey)}\n`,
    root,
    stateDir: `${root}/state`,
    bootIdFile,
    changeBootId,
    async stop() {
      await child.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** How the product reaches this lab as the one host gpu001. */
export const reaching = (lab: SshdLab) => ({
  user: lab.user,
  privateKey: lab.privateKey,
  knownHosts: () => lab.knownHosts,
  nodes: { hosts: { gpu001: { host: "127.0.0.1", port: lab.port } } },
  head: null,
  stateDir: lab.stateDir,
  bootIdFile: lab.bootIdFile,
});

/** Whether somebody accepts connections on this port of loopback. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
