const NODES_PER_QUERY = 200;
/** Labels that name a host, in the order they are believed; letter case differs between exporter releases. */
const NODE_LABELS = ["hostname", "node", "nodename", "host", "kubernetes_node", "exported_instance", "instance"];

/** `{node}` of the plan's query becomes a matcher over many nodes; one query serves at most 200 of them. */
export function queryFor(
  template: string,
  nodes: readonly string[],
): readonly { readonly query: string; readonly nodes: readonly string[] }[] {
  const parts: { query: string; nodes: readonly string[] }[] = [];
  for (let from = 0; from < nodes.length; from += NODES_PER_QUERY) {
    const some = nodes.slice(from, from + NODES_PER_QUERY);
    parts.push({ query: fill(template, some), nodes: some });
  }
  return parts;
}

/** The samples that belong to a node, by the label that names hosts. A sample without any such label belongs to nobody. */
export function seriesOf<T extends { readonly labels: Readonly<Record<string, string>> }>(
  node: string,
  samples: readonly T[],
  nodeLabel?: string | null,
): readonly T[] {
  return samples.filter((sample) => isOf(nodeNameIn(sample.labels, nodeLabel), node));
}

/** The host a series names, null where none of its labels does. */
export function nodeNameIn(labels: Readonly<Record<string, string>>, nodeLabel?: string | null): string | null {
  const wanted = nodeLabel ? [nodeLabel.toLowerCase(), ...NODE_LABELS] : NODE_LABELS;
  const named = Object.entries(labels);
  for (const label of wanted) {
    const found = named.find(([name, value]) => name.toLowerCase() === label && value !== "");
    if (found) return found[1].replace(/:\d{1,5}$/, "");
  }
  return null;
}

/** Exporters print the short name or the full one: a dot after the node's name ends it, any other letter does not. */
const isOf = (host: string | null, node: string): boolean =>
  host !== null && (host.toLowerCase() === node.toLowerCase() || host.toLowerCase().startsWith(`${node.toLowerCase()}.`));

function fill(template: string, nodes: readonly string[]): string {
  const either = nodes.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return template.replace(/(=~|!~|!=|=)\s*(["'])((?:\\.|(?!\2)[^\\])*)\2/g, (matcher, sign: string, _quote: string, text: string) => {
    if (!text.includes("{node}")) return matcher;
    const regular = sign === "=~" || sign === "!~";
    const pieces = text.split("{node}").map((piece) => (regular ? piece : quoteMeta(piece)));
    const value = pieces.length === 2 && pieces.every((piece) => piece === "") ? escape(either) : pieces.join(escape(`(?:${either})`));
    return `${sign.startsWith("!") ? "!~" : "=~"}"${value}"`;
  });
}

/** Backslashes of a regular expression are doubled inside a PromQL string. */
const escape = (text: string): string => text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
const quoteMeta = (text: string): string => text.replace(/[.*+?()[\]{}|^$]/g, (sign) => `\\\\${sign}`);
