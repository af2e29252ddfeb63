import type { HandoffPage } from "./handoff-page";

/** The handoff as Markdown, for a ticket or a chat: the same facts in the same order as the page. Text from outside cannot become markup. */
export function handoffMarkdown(page: HandoffPage): string {
  const counts = Object.entries(page.tally).filter(([, count]) => count > 0);
  const lines = [
    `# Handoff ${text(page.id)}: ${text(page.title)}`,
    "",
    `**${text(page.stands)}** ${text(page.next)}`,
    "",
    `Cluster ${text(page.cluster)}, read ${page.at}. Owner ${text(page.owner.name)}; ${text(page.decisionOwner?.name ?? "nobody named")} decides whether to continue.`,
    "",
    `Totals: ${counts.map(([word, count]) => `${count} ${word.toLowerCase()}`).join(", ")} = ${page.planned} in plan; ${page.notInPlan.nodes} nodes of the cluster not in plan.`,
    `Out of service now: ${page.out.nodes} nodes, ${page.out.gpus} GPUs, ${page.out.pct} % of the cluster.`,
    ...part(
      "1. Which nodes run which version?",
      page.versions.map(({ version, nodes, outcomes }) => {
        const named = version === null ? "**not known**" : `\`${code(version)}\``;
        return `- ${named}: ${count(nodes, "node")}: ${outcomes.map((one) => `${one.outcome.toLowerCase()} ${text(one.names)}`).join("; ")}`;
      }),
    ),
    ...part(
      "2. Which need investigation, and why?",
      page.investigate.map(
        (one) => `- ${text(one.node)}, ${one.outcome.toLowerCase()}: ${text(one.because)} Owner: ${text(one.owner?.name ?? "nobody yet")}.`,
      ),
    ),
    ...part(
      "3. What may be done next?",
      page.may.map((one) => `- ${text(named(one))}: ${text(one.who.join(", ") || "nobody")}`),
    ),
    ...part(
      "4. What may not be done, and why?",
      page.mayNot.map((one) => `- ${text(named(one))}: ${text(one.because.join(" "))}`),
    ),
    ...part("5. Who decides?", [
      `- ${text(page.decisionOwner?.name ?? "Nobody is named; the owner is " + page.owner.name)} decides whether to continue.`,
      `- ${text(page.approvers.join(", ") || "Nobody")} approves, signs and waives.`,
    ]),
    ...part(
      "Holds",
      page.holds.map((one) => `- ${text(one.kind.replaceAll("_", " "))} by ${text(one.owner)} since ${one.since}: ${text(one.because)}`),
    ),
    ...part(
      "Waivers",
      page.waivers.map((one) => `- ${text(one.on)} by ${text(one.by)} until ${one.until ?? "further notice"}: ${text(one.reason)}`),
    ),
    ...part(
      "Still ours out there",
      page.obligations.map(
        (one) => `- ${text(one.what.replaceAll("_", " "))} on ${text(one.on)}, \`${code(one.name)}\`, since ${one.since}`,
      ),
    ),
    ...part(
      "Windows",
      page.windows.map((one) => `- ${one.startsAt} to ${one.endsAt} (${text(one.timezone)})`),
    ),
    "",
    "## Plan against actual",
    "",
    "| Node | Leaf | Batch | Outcome | Runs | Read | Why | Owner |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ...page.rows.map((row) =>
      [
        row.node,
        row.leaves.join(", ") || "unknown",
        String(row.batch),
        row.outcome,
        row.runs.version ?? `not known (${row.runs.because})`,
        row.runs.at ?? "never",
        row.because ?? "",
        row.owner ?? "",
      ]
        .map(text)
        .join(" | ")
        .replace(/^.*$/, "| $& |"),
    ),
    "",
    `Record ${page.record.version}, plan revision ${page.record.revision} sha256 ${page.record.plan}${page.record.audit === null ? "" : `, audit line ${page.record.audit.seq} ${page.record.audit.hash}`}.`,
    "",
  ];
  return lines.join("\n");
}

const part = (title: string, rows: readonly string[]): string[] => ["", `## ${title}`, "", ...(rows.length === 0 ? ["- none"] : rows)];
const named = ({ words, on }: { readonly words: string; readonly on: string | null }): string => (on === null ? words : `${words} ${on}`);
const count = (n: number, one: string): string => `${n} ${one}${n === 1 ? "" : "s"}`;
const oneLine = (raw: string): string => raw.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
/** In running text: nothing of it is markup. */
const text = (raw: string): string => oneLine(raw).replace(/[\\`*_[\]<>|~#]/g, "\\$&");
/** Between backticks, where only a backtick ends it. */
const code = (raw: string): string => oneLine(raw).replaceAll("`", "'");
