import ssh2 from "ssh2";
import type { Client, ConnectConfig, ServerHostKeyAlgorithm } from "ssh2";
import type { Duplex } from "node:stream";

import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";
import { judgeHostKey, knownKeyTypes, readKnownHosts } from "./known-hosts";
import type { HostKeyRuling, KnownHosts } from "./known-hosts";
import type { HostAndPort, SshOptions } from "./ssh-options";

const SERVER_KEYS: readonly ServerHostKeyAlgorithm[] = [
  "ssh-ed25519",
  "ecdsa-sha2-nistp256",
  "ecdsa-sha2-nistp384",
  "ecdsa-sha2-nistp521",
  "rsa-sha2-512",
  "rsa-sha2-256",
];
const CONNECT_TIMEOUT_MS = 15_000;

/** Opens one checked connection; `sock` is a tunnel through the jump host. */
export function connectSsh(options: SshOptions, to: Required<HostAndPort>, sock?: Duplex): Promise<Result<Client, SourceError>> {
  const known = readKnownHosts(options.knownHosts());
  const place = `${to.host}:${to.port}`;
  const timeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  return new Promise((resolve) => {
    const client = new ssh2.Client();
    let ruling: HostKeyRuling | null = null;
    const give = (result: Result<Client, SourceError>): void => {
      clearTimeout(timer);
      if (!result.ok) client.destroy();
      resolve(result);
    };
    const timer = setTimeout(
      () => give(err({ code: "timed_out", because: `SSH to ${place} was not ready within ${timeoutMs} ms.` })),
      timeoutMs,
    );
    // stays attached after the connection is up: an "error" without listener would end the process
    client.on("error", (cause) => give(err(connectError(cause, place, to.user, ruling))));
    client.once("close", () => give(err({ code: "unreachable", because: `SSH to ${place} was closed before it was ready.` })));
    client.once("ready", () => give(ok(client)));
    try {
      client.connect({
        ...authOf(options),
        ...(sock === undefined ? { host: to.host, port: to.port } : { sock }),
        username: to.user,
        readyTimeout: timeoutMs,
        keepaliveInterval: 5_000,
        keepaliveCountMax: 3,
        algorithms: { serverHostKey: wantedKeys(known, to) },
        hostVerifier: (key: Buffer) => {
          ruling = judgeHostKey(known, to.host, to.port, key);
          return ruling.is === "known";
        },
      });
    } catch (cause) {
      // ssh2 throws for a key it cannot read; its text names the format, not the key
      give(err({ code: "denied", because: `SSH to ${place} cannot start: ${cause instanceof Error ? cause.message : "unknown error"}.` }));
    }
  });
}

function authOf(options: SshOptions): ConnectConfig {
  if (options.privateKey === null) return { agent: options.agent };
  return { privateKey: options.privateKey, passphrase: options.passphrase };
}

/** Like OpenSSH: ask for the recorded key types only, so that a server with several keys shows the one we can check. */
function wantedKeys(known: KnownHosts, to: HostAndPort): ServerHostKeyAlgorithm[] {
  const types = knownKeyTypes(known, to.host, to.port);
  const wanted = SERVER_KEYS.filter((algorithm) => types.includes(algorithm.startsWith("rsa-") ? "ssh-rsa" : algorithm));
  return wanted.length > 0 ? [...wanted] : [...SERVER_KEYS];
}

function connectError(
  cause: Error & { level?: string; code?: string },
  place: string,
  user: string,
  ruling: HostKeyRuling | null,
): SourceError {
  if (ruling !== null && ruling.is !== "known") return { code: "refused", because: ruling.because };
  switch (cause.level) {
    case "client-authentication":
      return {
        code: "denied",
        because: `SSH to ${place} refused user ${user} with the configured key. Check the user and authorized_keys.`,
      };
    case "client-timeout":
      return { code: "timed_out", because: `SSH to ${place} did not finish its handshake or stopped answering.` };
    case "handshake":
      return {
        code: "refused",
        because: `SSH to ${place} found no common ground: ${cause.message}. Is a key of the server's type in known hosts?`,
      };
    default:
      return { code: "unreachable", because: `SSH to ${place} cannot be reached (${cause.code ?? cause.message}).` };
  }
}
