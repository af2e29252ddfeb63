import { assertNever } from "@/lib/core/kernel/result";
import type { ConfigRow, ConfigSentence, Match } from "./board";
import type { ChangeGoal } from "./goal";
import { CONFIG_FIELDS, type ConfigField, type UnknownBecause } from "./observation";

/** One node's layers in sentences (R1.7); the first is the one that counts most, in the order reimage, instance, sources, definition, unknown, agreement. */
export function explainConfig(
  row: ConfigRow,
  goal: ChangeGoal,
  context: { readonly node: string; readonly declared: boolean },
): readonly ConfigSentence[] {
  const sentences = [...imageSentences(row, goal, context.node), ...definitionSentences(row, context.declared), ...unknownSentences(row)];
  const old = valueOf(row.host_report);
  if (goal.persistence.kind === "none" && old !== null) sentences.push({ says: "rebuild_returns_to_old", node: context.node, old });
  const agree = CONFIG_FIELDS.every((f) => row[f].verdict === "matches" || row[f].verdict === "not_applicable");
  return agree ? [{ says: "all_agree", node: context.node }, ...sentences] : sentences;
}

function imageSentences(row: ConfigRow, goal: ChangeGoal, node: string): readonly ConfigSentence[] {
  const { vmss_model: model, instance_model: instance, host_report: host } = row;
  const sentences: ConfigSentence[] = [];
  const old = valueOf(model);
  if (goal.component === "image" && model.verdict === "differs" && old !== null)
    sentences.push({ says: "reimage_would_reproduce", node, old });
  if (model.verdict === "matches" && instance.verdict === "differs") sentences.push({ says: "model_changed_instance_pending", node });
  const right = valueOf(host);
  if (instance.verdict === "matches" && host.verdict === "differs" && right !== null)
    sentences.push({ says: "sources_disagree", node, left: goal.text, right });
  return sentences;
}

function definitionSentences(row: ConfigRow, declared: boolean): readonly ConfigSentence[] {
  const definition = valueOf(row.cluster_definition),
    model = valueOf(row.vmss_model);
  if (definition === null || model === null) return [];
  return definition === model
    ? [{ says: "new_nodes_get_model", model, definition }]
    : [{ says: "definition_and_model_differ", definition, model, declared }];
}

const unknownSentences = (row: ConfigRow): ConfigSentence[] =>
  CONFIG_FIELDS.flatMap((field): ConfigSentence[] => {
    const match = row[field];
    if (match.verdict !== "unknown" || match.known.is !== "unknown") return [];
    return [{ says: "unknown", field, because: match.known.because }];
  });

const valueOf = (match: ConfigRow[ConfigField]): string | null =>
  match.verdict !== "not_applicable" && (match as Match).known.is === "value" ? ((match as Match).known as { value: string }).value : null;

/** The words that page, API and report use. */
export function configSentence(s: ConfigSentence): string {
  switch (s.says) {
    case "reimage_would_reproduce":
      return `Reimaging ${s.node} now is expected to reproduce ${s.old}: the scale-set model is unchanged. Apply the model first.`;
    case "model_changed_instance_pending":
      return `The model is changed; ${s.node} keeps its image until the model is applied to it and it is reimaged.`;
    case "new_nodes_get_model":
      return `New nodes get ${s.model}: definition and model agree. Existing instances stay as they are.`;
    case "definition_and_model_differ":
      return `The definition says ${s.definition}, the model ${s.model}: new nodes may get either. ${s.declared ? "The plan declares this until sign-off." : "The plan does not declare this: it blocks."}`;
    case "rebuild_returns_to_old":
      return `A rebuilt ${s.node} loses ${s.old}: nothing gives a new node this version.`;
    case "sources_disagree":
      return `The platform says ${s.left} on ${s.node}, the host says ${s.right}: unresolved until they agree.`;
    case "unknown":
      return `${FIELD_WORDS[s.field]} is unknown: ${UNKNOWN_WORDS[s.because]}.`;
    case "all_agree":
      return `All layers of ${s.node} agree with the target.`;
    default:
      return assertNever(s);
  }
}

const FIELD_WORDS: Readonly<Record<ConfigField, string>> = {
  cluster_definition: "The cluster definition",
  vmss_model: "The scale-set model",
  instance_model: "The instance model",
  host_report: "The host report",
};
const UNKNOWN_WORDS: Readonly<Record<UnknownBecause, string>> = {
  never_observed: "it was never read",
  before_reboot: "the last read is from before the node's last reboot",
  before_model_change: "the last read is from before the model changed",
  too_old: "the last read is too old",
  unreadable: "the answer could not be read",
  absent: "the source does not list it",
  source_unreachable: "its source does not answer",
  sources_disagree: "two sources disagree",
};
