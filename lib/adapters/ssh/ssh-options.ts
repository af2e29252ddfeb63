import type { ShellHost } from "@/lib/ports/node-shell";

export type HostAndPort = { readonly host: string; readonly port: number; readonly user?: string };

export type SshOptions = {
  readonly user: string;
  /** Text of an OpenSSH private key, or null to use the agent. */
  readonly privateKey: string | null;
  readonly passphrase?: string;
  /** Path of an agent's socket. */
  readonly agent?: string;
  /** Text of an OpenSSH known_hosts file; asked at every connection, so that a key added later counts. */
  readonly knownHosts: () => string;
  /** Where a node listens: one template with `{node}`, or a map. A node that is not in the map cannot be reached. */
  readonly nodes: { readonly template: string; readonly port: number } | { readonly hosts: Readonly<Record<string, HostAndPort>> };
  readonly head: HostAndPort | null;
  readonly jump?: HostAndPort | null;
  /** Absolute folder for detached commands; `{node}` is replaced ("head" for the head host). Default /var/lib/clearance. */
  readonly stateDir?: string;
  /** Default /proc/sys/kernel/random/boot_id; `{node}` is replaced. */
  readonly bootIdFile?: string;
  /** Default "systemctl reboot". */
  readonly rebootCommand?: string;
  readonly connectTimeoutMs?: number;
  /** An unused connection is closed after this time. Default 60 s. */
  readonly idleMs?: number;
  /** Default limit of each output. Default 16 MiB. */
  readonly maxBytes?: number;
  /** For the times of `run`; default the machine's clock. */
  readonly now?: () => Date;
};

const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;

/** How a host is called in sentences. */
export const calledHost = (host: ShellHost): string => ("node" in host ? host.node : "the head host");

/** Address of a host, or why there is none. */
export function addressOf(options: SshOptions, host: ShellHost): Required<HostAndPort> | { readonly because: string } {
  if (!("node" in host)) {
    if (options.head === null) return { because: "No head host is configured for this cluster (ssh.head)." };
    return { user: options.user, ...options.head };
  }
  if (!NODE_NAME.test(host.node)) return { because: `${JSON.stringify(host.node.slice(0, 260))} is not a node name.` };
  if ("template" in options.nodes) {
    return { user: options.user, host: fill(options.nodes.template, host), port: options.nodes.port };
  }
  const found = Object.hasOwn(options.nodes.hosts, host.node) ? options.nodes.hosts[host.node] : undefined;
  return found === undefined ? { because: `No SSH address is configured for ${host.node} (ssh.hosts).` } : { user: options.user, ...found };
}

export const stateDirOf = (options: SshOptions, host: ShellHost): string => fill(options.stateDir ?? "/var/lib/clearance", host);
export const bootIdFileOf = (options: SshOptions, host: ShellHost): string =>
  fill(options.bootIdFile ?? "/proc/sys/kernel/random/boot_id", host);

function fill(template: string, host: ShellHost): string {
  return template.replaceAll("{node}", "node" in host ? host.node : "head");
}
