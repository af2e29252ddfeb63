/** One machine's sshd: public key sign-in, exec channels, nothing else. */
import { timingSafeEqual } from "node:crypto";
import { createServer, type Server, type Socket } from "node:net";

import ssh2, { type Connection, type ServerChannel } from "ssh2";

import { listen } from "@/lib/simulator/http-exchange";

import type { Run } from "./shell";

export type ExecStreams = { readonly channel: ServerChannel; readonly exit: (code: number | null, signal: string | null) => void };

export type SshHost = {
  readonly port: number;
  /** Live connections end; the port answers "connection refused" until `open`. */
  close: () => void;
  open: () => Promise<void>;
  /** Accepts connections and says nothing while true. */
  hang: (on: boolean) => void;
  useKey: (hostKey: string) => void;
};

export function createSshHost(options: {
  port: number;
  hostKey: string;
  clientKey: string;
  user: string;
  exec: (command: string, streams: ExecStreams) => Run | null;
}): SshHost {
  let ssh = sshServer(options, options.hostKey);
  let hanging = false;
  let server: Server | null = null;
  const sockets = new Set<Socket>();
  return {
    port: options.port,
    close: () => {
      server?.close();
      server = null;
      for (const socket of sockets) socket.destroy();
    },
    open: async () => {
      if (server !== null) return;
      const fresh = createServer((socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
        socket.on("error", () => {}); // a client that goes away is its own affair
        if (!hanging) ssh.injectSocket(socket);
      });
      server = fresh;
      try {
        await listen(fresh, options.port);
      } catch (cause) {
        server = null;
        throw cause;
      }
    },
    hang: (on) => (hanging = on),
    useKey: (hostKey) => (ssh = sshServer(options, hostKey)),
  };
}

function sshServer(options: Parameters<typeof createSshHost>[0], hostKey: string): ssh2.Server {
  const allowed = ssh2.utils.parseKey(options.clientKey);
  if (allowed instanceof Error) throw allowed;
  return new ssh2.Server({ hostKeys: [hostKey], ident: "OpenSSH_8.9p1 Ubuntu-3ubuntu0.10" }, (client: Connection) => {
    client.on("error", () => {}); // broken handshakes and lost clients
    client.on("authentication", (context) => {
      const known =
        context.method === "publickey" && context.username === options.user && sameBytes(context.key.data, allowed.getPublicSSH());
      if (!known || context.method !== "publickey") return context.reject(["publickey"]);
      if (context.signature === undefined || context.blob === undefined) return context.accept();
      if (allowed.verify(context.blob, context.signature, context.hashAlgo) === true) context.accept();
      else context.reject(["publickey"]);
    });
    client.on("session", (accept) => {
      const session = accept();
      session.on("exec", (acceptExec, _reject, info) => serveExec(acceptExec(), info.command, options.exec));
    });
  });
}

function serveExec(channel: ServerChannel, command: string, exec: Parameters<typeof createSshHost>[0]["exec"]): void {
  let finished = false;
  channel.on("error", () => {});
  const exit = (code: number | null, signal: string | null): void => {
    if (finished) return;
    finished = true;
    if (channel.destroyed) return;
    if (signal !== null) channel.exit(signal.replace(/^SIG/, ""));
    else channel.exit(code ?? 255);
    channel.end();
  };
  const run = exec(command, { channel, exit });
  channel.once("close", () => {
    finished = true;
    run?.stop();
  });
}

const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
