import { z } from "zod";

import { ROLES } from "@/lib/core/access/roles";
import { Policy } from "@/lib/core/change/policy";
import { NodeClassFacts } from "@/lib/core/node/node-class-facts";
import { NODE_ROLES } from "@/lib/core/node/node-role";

import { SecretSource } from "./secret";

/** `clearance.yaml`: what a site tells about its clusters. Unknown names are errors everywhere. */
const Id = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "lower-case letters, digits and dashes, at most 63");
const Host = z.string().regex(/^[A-Za-z0-9._{}:-]{1,253}$/, "a host name or address");
const Name = z.string().regex(/^[A-Za-z0-9._@-]{1,253}$/, "a name of letters, digits and . _ @ -");
const Text = z.string().min(1).max(253);
const Path = z.string().min(1).max(4096);
const Port = z.number().int().min(1).max(65_535);
const Hostlist = z.string().min(1).max(65_536);
const HttpUrl = z.url({ protocol: /^https?$/, error: "an http or https address" });

const NEVER_PLAIN = /authorization|cookie|token|key|secret|password/i;
/** Headers whose name tells of a secret take it from a variable or a file. */
const Headers = z
  .record(z.string().regex(/^[A-Za-z0-9-]{1,64}$/), z.union([SecretSource, z.string().min(1).max(4096)]))
  .superRefine((all, ctx) => {
    for (const [name, value] of Object.entries(all)) {
      if (NEVER_PLAIN.test(name) && typeof value === "string") {
        ctx.addIssue({ code: "custom", path: [name], message: "a secret is written as ${NAME} (an environment variable) or {file: path}" });
      }
    }
  });

const Rest = z.strictObject({
  url: HttpUrl,
  user: Name,
  token: SecretSource,
  /** Plugin version such as v0.0.40; left out: the newest that the server and Clearance both know. */
  version: z
    .string()
    .regex(/^v0\.0\.\d{2}$/, "a version such as v0.0.40")
    .optional(),
});
const Slurm = z.strictObject({
  rest: Rest.optional(),
  /** Where scontrol and sbatch run: on this machine, or over SSH on the head host. */
  cli: z.strictObject({
    via: z.enum(["local", "ssh"]),
    env: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string().max(4096)).default({}),
  }),
  /** Who may run in the reservation in which nodes are accepted (R3.6). */
  reservation: z
    .strictObject({ users: z.array(Name).default([]), accounts: z.array(Name).default([]) })
    .refine(({ users, accounts }) => users.length + accounts.length > 0, "name at least one user or account"),
  /** How nodes are rebooted. */
  rebootVia: z.enum(["scheduler", "ssh"]).default("scheduler"),
});
const Endpoint = z.strictObject({ host: Host, port: Port.default(22) });
const Ssh = z.strictObject({
  user: Name,
  privateKey: z.strictObject({ file: Path }),
  knownHosts: z.strictObject({ file: Path }),
  /** One template for all nodes (`{node}` is the name), or an address per node. */
  hosts: z
    .union([z.strictObject({ template: Host, port: Port.default(22) }), z.record(Name, Endpoint)])
    .default({ template: "{node}", port: 22 }),
  head: Endpoint.optional(),
  jump: Endpoint.optional(),
  stateDir: Path.default("/var/lib/clearance"),
  bootIdFile: Path.default("/proc/sys/kernel/random/boot_id"),
});
const Prometheus = z.strictObject({
  url: HttpUrl,
  nodeLabel: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
    .optional(),
  headers: Headers.default({}),
});
const Topology = z.union([
  z.strictObject({ from: z.literal("slurm") }),
  z.strictObject({
    leaves: z
      .array(z.strictObject({ name: Name, fabric: z.enum(["compute", "storage"]).default("compute"), nodes: Hostlist }))
      .min(1)
      .max(10_000),
  }),
  z.strictObject({ none: z.strictObject({ because: Text }) }),
]);
const NodeGroup = NodeClassFacts.extend({ match: Hostlist, role: z.enum(NODE_ROLES).default("compute") });

export const ClusterConfig = z
  .strictObject({
    id: Id,
    title: Text,
    production: z.boolean(),
    /** May be destroyed: the only kind on which rehearsals count (R4.6). */
    disposable: z.boolean(),
    timezone: z.string().refine(isTimeZone, "not a time zone; write for example Europe/Berlin"),
    execution: z.enum(["automatic", "manual"]).default("automatic"),
    policy: Policy.prefault({}),
    slurm: Slurm,
    ssh: Ssh,
    prometheus: Prometheus.optional(),
    topology: Topology.default({ from: "slurm" }),
    nodes: z.array(NodeGroup).min(1).max(1000),
  })
  .superRefine((cluster, ctx) => {
    const issue = (path: string[], message: string): void => ctx.addIssue({ code: "custom", path, message });
    if (cluster.production && cluster.disposable) issue(["disposable"], "a production cluster cannot be disposable");
    if (cluster.slurm.cli.via === "ssh" && cluster.ssh.head === undefined)
      issue(["slurm", "cli", "via"], "ssh needs the head host under ssh.head");
  });
export type ClusterConfig = z.infer<typeof ClusterConfig>;

const PersonName = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, "letters, digits and . _ -, at most 63");
const ConfiguredPerson = z.strictObject({
  id: PersonName,
  name: Text,
  email: z.email().max(253),
  roles: z.array(z.enum(ROLES)).min(1),
  password: SecretSource.optional(),
  /** An API token of this person, at least 32 characters; kept as its hash. */
  token: SecretSource.optional(),
});

const Oidc = z.strictObject({
  name: Text.default("OpenID Connect"),
  issuer: HttpUrl,
  clientId: Text,
  clientSecret: SecretSource,
});

export const SiteConfig = z
  .strictObject({
    clusters: z.array(ClusterConfig).min(1).max(64),
    webhook: z.strictObject({ url: z.union([SecretSource, HttpUrl]), headers: Headers.default({}) }).optional(),
    people: z.array(ConfiguredPerson).max(10_000).default([]),
    auth: z.strictObject({ oidc: Oidc.optional() }).default({}),
  })
  .superRefine(({ clusters, people }, ctx) => {
    const twice = (list: readonly { id: string }[], where: string): void =>
      list.forEach(({ id }, i) => {
        if (list.findIndex((other) => other.id === id) < i)
          ctx.addIssue({ code: "custom", path: [where, i, "id"], message: `"${id}" stands here twice` });
      });
    twice(clusters, "clusters");
    twice(people, "people");
  });
export type SiteConfig = z.infer<typeof SiteConfig>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return /^[A-Za-z]/.test(name);
  } catch {
    return false; // a RangeError is how Intl says no
  }
}
