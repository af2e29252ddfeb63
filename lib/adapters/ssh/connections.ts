import type { Client } from "ssh2";
import type { Duplex } from "node:stream";

import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";
import { connectSsh } from "./connect";
import type { HostAndPort, SshOptions } from "./ssh-options";

/** sshd's MaxSessions is 10 by default: stay below it. */
const SESSIONS_PER_CONNECTION = 8;
const IDLE_MS = 60_000;

type Held = {
  readonly opening: Promise<Result<Client, SourceError>>;
  busy: number;
  /** Tunnels through this host that are open; they are no sessions, but end with the connection. */
  tunnels: number;
  readonly waiting: (() => void)[];
  idle: NodeJS.Timeout | null;
};

type Connections = {
  /** Lends the host's one connection for `work`; connects when there is none, waits when it is full. */
  withClient<T>(to: Required<HostAndPort>, work: (client: Client) => Promise<Result<T, SourceError>>): Promise<Result<T, SourceError>>;
  close(): void;
};

/** One connection per host, kept while it is used and a while longer. A lost one is forgotten, so that the next use connects again. */
export function sshConnections(options: SshOptions): Connections {
  const held = new Map<string, Held>();

  function hold(to: Required<HostAndPort>): Held {
    const name = `${to.user}@${to.host}:${to.port}`;
    const existing = held.get(name);
    if (existing !== undefined) return existing;
    const opening = open(to);
    const made: Held = { opening, busy: 0, tunnels: 0, waiting: [], idle: null };
    const forget = (): void => {
      if (made.idle !== null) clearTimeout(made.idle);
      if (held.get(name) === made) held.delete(name);
    };
    held.set(name, made);
    void opening.then((result) => (result.ok ? result.value.once("close", forget) : forget()));
    return made;
  }

  function open(to: Required<HostAndPort>): Promise<Result<Client, SourceError>> {
    const jump = options.jump ? { user: options.user, ...options.jump } : null;
    if (jump === null || (jump.host === to.host && jump.port === to.port)) return connectSsh(options, to);
    return withClient(jump, async (through) => {
      const tunnel = await forward(through, jump, to);
      if (!tunnel.ok) return tunnel;
      const entry = hold(jump);
      entry.tunnels += 1;
      tunnel.value.once("close", () => {
        entry.tunnels -= 1;
        restWhenUnused(entry);
      });
      return connectSsh(options, to, tunnel.value);
    });
  }

  function restWhenUnused(entry: Held): void {
    if (entry.busy > 0 || entry.tunnels > 0) return;
    if (entry.idle !== null) clearTimeout(entry.idle);
    entry.idle = setTimeout(() => void entry.opening.then(endOf), options.idleMs ?? IDLE_MS).unref();
  }

  async function withClient<T>(to: Required<HostAndPort>, work: (client: Client) => Promise<Result<T, SourceError>>) {
    const entry = hold(to);
    while (entry.busy >= SESSIONS_PER_CONNECTION) await new Promise<void>((resolve) => entry.waiting.push(resolve));
    entry.busy += 1;
    if (entry.idle !== null) clearTimeout(entry.idle);
    entry.idle = null;
    try {
      const client = await entry.opening;
      return client.ok ? await work(client.value) : client;
    } finally {
      entry.busy -= 1;
      entry.waiting.shift()?.();
      restWhenUnused(entry);
    }
  }

  return {
    withClient,
    close: () => {
      for (const entry of held.values()) void entry.opening.then(endOf);
      held.clear();
    },
  };
}

const endOf = (client: Result<Client, SourceError>): void => {
  if (client.ok) client.value.end();
};

function forward(through: Client, jump: HostAndPort, to: HostAndPort): Promise<Result<Duplex, SourceError>> {
  const failed = (why: string): Result<Duplex, SourceError> =>
    err({ code: "unreachable", because: `The jump host ${jump.host} cannot reach ${to.host}:${to.port} (${why}).` });
  return new Promise((resolve) => {
    try {
      through.forwardOut("127.0.0.1", 0, to.host, to.port, (cause, tunnel) => resolve(cause ? failed(cause.message) : ok(tunnel)));
    } catch (cause) {
      resolve(failed(cause instanceof Error ? cause.message : "not connected"));
    }
  });
}
