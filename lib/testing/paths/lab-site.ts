import { mkdtempSync, writeFileSync, chmodSync, rmSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { tmpdir } from "node:os";
import { stringify } from "yaml";
import { startExporter, type Exporter } from "@/lib/testing/lab/exporter";
import { startPrometheus, type PrometheusLab } from "@/lib/testing/lab/prometheus";
import { startSlurmLab, type SlurmLab } from "@/lib/testing/lab/slurm-lab";

/** A site of real parts: a production cluster of 8 nodes on 2 leaves, a disposable one of 4, each with its Prometheus and an exporter per node. */
export type LabSite = {
  readonly production: SlurmLab;
  readonly disposable: SlurmLab;
  readonly exporters: Readonly<Record<string, Exporter>>;
  readonly prometheus: PrometheusLab;
  readonly configFile: string;
  readonly env: Readonly<Record<string, string>>;
  readonly tokens: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

const PEOPLE: readonly (readonly [string, readonly string[]])[] = [
  ["AK", ["operator"]],
  ["LT", ["workload_owner"]],
  ["MR", ["approver"]],
  ["JS", ["operator"]],
  ["DV", ["operator"]],
  ["RB", ["viewer"]],
];
const CLASS = {
  serverModel: "XE9680",
  accelerator: { model: "H100", count: 8 },
  hca: { model: "ConnectX-7", count: 8 },
  environment: "ubuntu22",
};

export async function startLabSite(): Promise<LabSite> {
  const folder = mkdtempSync(join(tmpdir(), "clearance-lab-"));
  chmodSync(folder, 0o755);
  const production = await startSlurmLab({ nodes: 8 });
  const disposable = await startSlurmLab({ nodes: 4 });
  const metrics = await startMetrics(production);
  const otherMetrics = await startMetrics(disposable);
  const tokens = Object.fromEntries(PEOPLE.map(([id]) => [id, `clr_${randomBytes(24).toString("base64url")}`]));
  const secrets: Record<string, string> = { ...Object.fromEntries(Object.entries(tokens).map(([id, token]) => [`TOKEN_${id}`, token])) };
  const clusters = [
    clusterOf("lab", production, { folder, secrets, production: true, prometheusUrl: metrics.prometheus.url }),
    clusterOf("rehearse", disposable, { folder, secrets, production: false, prometheusUrl: otherMetrics.prometheus.url }),
  ];
  const people = PEOPLE.map(([id, roles]) => ({
    id,
    name: id,
    email: `${id.toLowerCase()}@lab.invalid`,
    roles: ["viewer", ...roles.filter((role) => role !== "viewer")],
    token: `\${TOKEN_${id}}`,
  }));
  const configFile = join(folder, "clearance.yaml");
  writeFileSync(configFile, stringify({ clusters, people }, { lineWidth: 0 }));
  return {
    production,
    disposable,
    exporters: metrics.exporters,
    prometheus: metrics.prometheus,
    configFile,
    env: { ...secrets, CLEARANCE_CONFIG: configFile },
    tokens,
    stop: async () => {
      await metrics.stop();
      await otherMetrics.stop();
      await disposable.stop();
      await production.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type LabMetrics = {
  readonly exporters: Readonly<Record<string, Exporter>>;
  readonly prometheus: PrometheusLab;
  readonly stop: () => Promise<void>;
};

/** An exporter per node and a Prometheus of the cluster's own: both clusters name their nodes alike. */
async function startMetrics(lab: SlurmLab): Promise<LabMetrics> {
  const exporters: Record<string, Exporter> = {};
  for (const node of lab.nodes) exporters[node] = await startExporter(node);
  const prometheus = await startPrometheus({ targets: Object.values(exporters).map(({ node, target }) => ({ node, target })) });
  return {
    exporters,
    prometheus,
    stop: async () => {
      await prometheus.stop();
      for (const exporter of Object.values(exporters)) await exporter.stop();
    },
  };
}

type Site = {
  readonly folder: string;
  readonly secrets: Record<string, string>;
  readonly production: boolean;
  readonly prometheusUrl: string;
};

function clusterOf(id: string, lab: SlurmLab, site: Site): object {
  const file = (name: string, text: string): { file: string } => {
    const path = join(site.folder, `${id}-${name}`);
    writeFileSync(path, text, { mode: 0o600 });
    return { file: path };
  };
  site.secrets[`SLURM_TOKEN_${id.toUpperCase()}`] = lab.token("root");
  return {
    id,
    title: `Real Slurm, ${id}`,
    production: site.production,
    disposable: !site.production,
    timezone: "UTC",
    policy: { pollMs: 1000 },
    slurm: {
      rest: { url: lab.restUrl, user: "root", token: `\${SLURM_TOKEN_${id.toUpperCase()}}` },
      cli: { via: "local", env: lab.env },
      reservation: { users: ["root"] },
      rebootVia: "scheduler",
    },
    ssh: {
      user: lab.ssh.user,
      privateKey: file("key", lab.ssh.privateKey),
      knownHosts: file("known_hosts", lab.ssh.knownHosts),
      hosts: lab.ssh.hosts,
      head: lab.ssh.head,
      stateDir: lab.ssh.stateDir,
      bootIdFile: lab.ssh.bootIdFile,
    },
    prometheus: { url: site.prometheusUrl },
    topology: { from: "slurm" },
    nodes: [{ match: `gpu[001-${String(lab.nodes.length).padStart(3, "0")}]`, ...CLASS }],
  };
}
