import { mkdirSync, writeFileSync } from "node:fs";
import ssh2 from "ssh2";

type KeyPair = { readonly privateKey: string; readonly publicLine: string };

/** Keys are made for each run; none is kept in the tree. */
export function makeSshKey(): KeyPair {
  const pair = ssh2.utils.generateKeyPairSync("ed25519");
  return { privateKey: pair.private, publicLine: pair.public.trim() };
}

/** Line of a known_hosts file. */
export const knownHostLine = (host: string, port: number, key: KeyPair): string => `[${host}]:${port} ${key.publicLine}`;

type SshdSettings = {
  readonly folder: string;
  readonly port: number;
  readonly hostKey: KeyPair;
  readonly client: KeyPair;
  readonly env: Readonly<Record<string, string>>;
  /** Sessions on one connection; sshd's own default is 10. */
  readonly maxSessions?: number;
};

/** Writes what Debian's sshd needs for one host on loopback; returns the path of its configuration. */
export function writeSshdConfig(settings: SshdSettings): string {
  const { folder, port, env } = settings;
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  writeFileSync(`${folder}/host_key`, settings.hostKey.privateKey, { mode: 0o600 });
  writeFileSync(`${folder}/authorized_keys`, `${settings.client.publicLine}\n`, { mode: 0o600 });
  // bash reads the account's own ~/.bashrc for a command over SSH, unless it is a shell below another: what stands there is none of the lab's.
  const setEnv = Object.entries({ SHLVL: "1", ...env }).map(([name, value]) => `"${name}=${value}"`);
  const lines = [
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${folder}/host_key`,
    `AuthorizedKeysFile ${folder}/authorized_keys`,
    "PidFile none",
    "StrictModes no",
    "UsePAM no",
    "PermitRootLogin yes",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
    "PrintMotd no",
    "UseDNS no",
    "MaxStartups 100",
    `MaxSessions ${settings.maxSessions ?? 10}`,
    "LogLevel ERROR",
    `SetEnv ${setEnv.join(" ")}`,
  ];
  writeFileSync(`${folder}/sshd_config`, `${lines.join("\n")}\n`);
  // sshd as root wants this folder for its unprivileged part
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  return `${folder}/sshd_config`;
}
