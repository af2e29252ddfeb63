import { expect, test } from "vitest";

import { readConfig } from "./read-config";

const ENV = { SLURM_JWT: "secret-jwt", PROM: "Bearer x" };
const CLUSTER = `clusters:
  - id: h100
    title: H100 partition
    production: true
    disposable: false
    timezone: Europe/Berlin
    slurm:
      rest: {url: "http://slurm:6820", user: clearance, token: "\${SLURM_JWT}"}
      cli: {via: ssh}
      reservation: {users: [root]}
    ssh:
      user: root
      privateKey: {file: /etc/clearance/id_ed25519}
      knownHosts: {file: /etc/clearance/known_hosts}
      head: {host: head01}
    prometheus: {url: "http://prom:9090", headers: {Authorization: "\${PROM}", X-Scope-OrgID: site}}
    topology: {leaves: [{name: leaf01, nodes: "gpu[001-008]"}]}
    nodes:
      - match: gpu[001-008]
        serverModel: XE9680
        accelerator: {model: H100, count: 8}
        hca: {model: ConnectX-7, count: 8}
        environment: ubuntu22
`;

test("a whole configuration is read, defaults are filled in and secrets stay where they are", () => {
  const read = readConfig(CLUSTER, ENV);
  expect(read).toMatchObject({ ok: true });
  if (!read.ok) return;
  const [cluster] = read.value.clusters;
  expect(cluster).toMatchObject({
    id: "h100",
    execution: "automatic",
    policy: { pollMs: 5000, noticeMs: 7_200_000 },
    slurm: { rest: { token: { variable: "SLURM_JWT" } }, reservation: { users: ["root"], accounts: [] } },
    ssh: { hosts: { template: "{node}", port: 22 }, head: { host: "head01", port: 22 }, stateDir: "/var/lib/clearance" },
    nodes: [{ role: "compute", serverModel: "XE9680" }],
  });
  expect(JSON.stringify(read.value)).not.toContain("secret-jwt");
});

const change = (from: string, to: string): string => CLUSTER.replace(from, to);
const PLANTED: readonly (readonly [string, string, number, string, string])[] = [
  [
    "an unknown name, with a suggestion",
    change("    slurm:\n", "    excution: manual\n    slurm:\n"),
    7,
    "clusters[0].excution",
    "Did you mean execution?",
  ],
  ["a missing name, at the part it is missing from", change("    title: H100 partition\n", ""), 2, "clusters[0].title", "is missing"],
  ["a time zone that does not exist", change("Europe/Berlin", "Europe/Atlantis"), 6, "clusters[0].timezone", "not a time zone"],
  ["a secret written out", change('token: "${SLURM_JWT}"', "token: eyJhbGci"), 8, "clusters[0].slurm.rest.token", "a secret is written as"],
  [
    "a secret header written out",
    change('Authorization: "${PROM}"', "Authorization: Bearer-x"),
    16,
    "clusters[0].prometheus.headers.Authorization",
    "a secret is written as",
  ],
  ["a variable that is not set", change("${SLURM_JWT}", "${NOT_SET}"), 8, "clusters[0].slurm.rest.token", "NOT_SET is not set"],
  [
    "a number where text is wanted",
    change("title: H100 partition", "title: 100"),
    3,
    "clusters[0].title",
    "put a number or a yes/no in quotes",
  ],
  ["a host list that is none", change('nodes: "gpu[001-008]"', 'nodes: "gpu[008-001]"'), 17, "clusters[0].topology.leaves[0].nodes", ""],
  [
    "scontrol over SSH without a head host",
    change("      head: {host: head01}\n", ""),
    9,
    "clusters[0].slurm.cli.via",
    "ssh needs the head host",
  ],
  ["a disposable production cluster", change("disposable: false", "disposable: true"), 5, "clusters[0].disposable", "cannot be disposable"],
  ["a port out of range", change("head: {host: head01}", "head: {host: head01, port: 70000}"), 15, "clusters[0].ssh.head.port", "65535"],
  ["a reservation for nobody", change("{users: [root]}", "{}"), 10, "clusters[0].slurm.reservation", "at least one user"],
  [
    "a policy number that is none",
    change("    slurm:\n", "    policy: {pollMs: fast}\n    slurm:\n"),
    7,
    "clusters[0].policy.pollMs",
    "expected number",
  ],
  ["the same cluster twice", CLUSTER + CLUSTER.split("\n").slice(1).join("\n"), 24, "clusters[1].id", "stands here twice"],
];
test.each(PLANTED)("%s", (_what, text, line, path, says) => {
  const read = readConfig(text, ENV);
  expect(read).toMatchObject({ ok: false, error: [{ line, path }] });
  if (!read.ok) expect(read.error[0]?.text).toContain(says);
});

test.each([
  ["nothing", "", "empty"],
  ["a list", "- a\n", ""],
  ["broken YAML", "clusters: [\n", "Not valid YAML"],
  [
    "an alias bomb",
    `a: &a [x, x, x]\n${"bcdefghijklm"
      .split("")
      .map((n, i) => `${n}: &${n} [${`*${"abcdefghijkl"[i]},`.repeat(9)}]`)
      .join("\n")}\n`,
    "",
  ],
  ["a deep nest", "[".repeat(5000), "Nested deeper"],
  ["a huge text", "a: x\n".repeat(100_000), "Longer than"],
  ["a name that reaches into objects", "__proto__: {polluted: true}\n", ""],
])("hostile configuration is a clear error: %s", (_what, text, says) => {
  const read = readConfig(text, ENV);
  expect(read.ok).toBe(false);
  if (!read.ok) expect(read.error.map((problem) => problem.text).join()).toContain(says);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
