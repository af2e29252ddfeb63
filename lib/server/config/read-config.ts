import * as yaml from "yaml";
import { type z } from "zod";

import { closestWord } from "@/lib/core/kernel/closest-word";
import { readDocumentTree, type DocumentNode, type Place } from "@/lib/core/kernel/document-tree";
import { expandHostlist } from "@/lib/core/kernel/hostlist";
import { err, ok, type Result } from "@/lib/core/kernel/result";

import { SiteConfig } from "./site-config";

/** One thing that is wrong in `clearance.yaml`; line counted from 1. */
type ConfigProblem = { readonly line: number; readonly path: string; readonly text: string };
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the text of `clearance.yaml`. Pure: nothing is opened, but a variable that a secret names must be set in `env`. */
export function readConfig(text: string, env: Environment): Result<SiteConfig, ConfigProblem[]> {
  const tree = readDocumentTree(text, yaml);
  if (!tree.ok) return err(tree.error.map(({ line, path, text: says }) => ({ line, path: onOneLine(path), text: onOneLine(says) })));
  const parsed = SiteConfig.safeParse(valueOf(tree.value));
  if (!parsed.success) return err(problemsOf(tree.value, parsed.error.issues));
  const problems = [...missingVariables(tree.value, env), ...badHostlists(tree.value, parsed.data)];
  return problems.length > 0 ? err(problems.sort((a, b) => a.line - b.line)) : ok(parsed.data);
}

/** Plain scalars get their YAML 1.2 meaning; what stands in quotes is text. */
function valueOf(node: DocumentNode): unknown {
  switch (node.is) {
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, valueOf(value)]));
    case "list":
      return node.items.map(valueOf);
    case "text": {
      if (node.quoted) return node.text;
      if (node.text === "true" || node.text === "false") return node.text === "true";
      if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(node.text)) return Number(node.text);
      return node.text === "" || node.text === "~" || node.text === "null" ? null : node.text;
    }
  }
}

function problemsOf(tree: DocumentNode, issues: readonly z.core.$ZodIssue[]): ConfigProblem[] {
  return issues
    .flatMap((issue) => problemOf(tree, issue))
    .sort((a, b) => a.line - b.line)
    .slice(0, 50);
}

function problemOf(tree: DocumentNode, issue: z.core.$ZodIssue): ConfigProblem[] {
  const at = (path: readonly PropertyKey[], text: string): ConfigProblem => ({
    line: placeOf(tree, path).line,
    path: pathText(path),
    text,
  });
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => at([...issue.path, key], unknownName(key)));
  if (issue.code === "invalid_union") {
    // The form that came nearest is the one whose complaint helps: fewest issues that are not "wrong kind of thing".
    const forms = issue.errors.map((form) => form.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
    const nearest = forms.sort((a, b) => distance(a) - distance(b))[0] ?? [];
    return nearest.flatMap((inner) => problemOf(tree, inner));
  }
  return [at(issue.path, sentenceOf(issue))];
}

const distance = (issues: readonly z.core.$ZodIssue[]): number =>
  issues.reduce((sum, { code }) => sum + (code === "invalid_type" || code === "unrecognized_keys" ? 10 : 1), 0);

const KNOWN =
  "clusters webhook people auth id title production disposable timezone execution policy slurm ssh prometheus topology nodes rest cli reservation rebootVia url user token version via env users accounts privateKey knownHosts hosts head jump stateDir bootIdFile nodeLabel headers from leaves none because match role serverModel accelerator hca environment model count fabric name email roles password oidc issuer clientId clientSecret file template host port".split(
    " ",
  );

function unknownName(key: string): string {
  const meant = closestWord(key, KNOWN);
  return `"${onOneLine(key.slice(0, 60))}" is not known here.${meant === null || meant === key ? "" : ` Did you mean ${meant}?`}`;
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_type") return issue.message;
  if (issue.input === undefined && issue.message.includes("undefined")) return "is missing";
  if (issue.expected === "string") return "must be text; put a number or a yes/no in quotes";
  return issue.message;
}

/** Where a path stands; for what is missing, the nearest part above it. */
function placeOf(tree: DocumentNode, path: readonly PropertyKey[]): Place {
  let node = tree;
  let place: Place = tree;
  for (const step of path) {
    if (node.is === "map") {
      const entry = node.entries.find(({ key }) => key === step);
      if (entry === undefined) return place;
      [place, node] = [entry.at, entry.value];
    } else if (node.is === "list" && typeof step === "number" && node.items[step] !== undefined) {
      node = node.items[step];
      place = node;
    } else return place;
  }
  return place;
}

/** A name with a line end in it would look like a second fault. */
const onOneLine = (text: string): string => text.replace(/\s+/g, " ");

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${onOneLine(String(step))}`))
    .join("")
    .replace(/^\./, "")
    .slice(0, 200);
}

function missingVariables(tree: DocumentNode, env: Environment, path: readonly PropertyKey[] = []): ConfigProblem[] {
  if (tree.is === "map") return tree.entries.flatMap(({ key, value }) => missingVariables(value, env, [...path, key]));
  if (tree.is === "list") return tree.items.flatMap((item, i) => missingVariables(item, env, [...path, i]));
  const name = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(tree.text)?.[1];
  return name !== undefined && !env[name]
    ? [{ line: tree.line, path: pathText(path), text: `the environment variable ${name} is not set` }]
    : [];
}

function badHostlists(tree: DocumentNode, config: SiteConfig): ConfigProblem[] {
  const lists = config.clusters.flatMap((cluster, c) => [
    ...cluster.nodes.map(({ match }, i) => ({ text: match, path: ["clusters", c, "nodes", i, "match"] })),
    ...("leaves" in cluster.topology
      ? cluster.topology.leaves.map(({ nodes }, i) => ({ text: nodes, path: ["clusters", c, "topology", "leaves", i, "nodes"] }))
      : []),
  ]);
  return lists.flatMap(({ text, path }) => {
    const names = expandHostlist(text);
    return names.ok ? [] : [{ line: placeOf(tree, path).line, path: pathText(path), text: names.error.because }];
  });
}
