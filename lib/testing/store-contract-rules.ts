import { at, NOW } from "./a-moment";
import { aHash } from "./a-hash";
import { aNewCheck } from "./store-contract-moves";
import { aNewChange, aRecord, CHANGE, commitMoves, targetOf, type TestRecord } from "./store-contract-record";
import type { ChangeId, TargetId } from "@/lib/core/kernel/ids";

const RAW = Buffer.from("raw output");
const SHA = "sha256(convert_to('raw output', 'UTF8'))";

/** One row of everything the database guards: two changes, a target of the first under way, a judged check, a decision, a command, holds. */
export async function aGuardedRecord(): Promise<TestRecord> {
  const record = await aRecord();
  await record.store.createChange(aNewChange({ id: "CH-2" as ChangeId }));
  const check = aNewCheck({ id: "k1" as never, targetId: targetOf(1) as TargetId });
  await commitMoves(record, [
    { move: "change", to: "PREFLIGHT", outcome: null, because: "" },
    { move: "change", to: "IN_PROGRESS", outcome: null, because: "" },
    {
      move: "target",
      id: targetOf(1) as TargetId,
      from: "waiting",
      to: "checking",
      aim: "goal",
      stage: 0,
      generation: 1,
      deadlineAt: null,
      because: "",
    },
    { move: "check", check },
    { move: "check", check: { ...check, id: "k2" as never, name: "second", waivable: false } },
  ]);
  for (const statement of ROWS) await record.sql(statement);
  await record.sql("insert into evidence (sha256, media_type, byte_count, bytes) values ($1, 'text/plain', 11, $2)", [
    Buffer.from(aHash("raw output2"), "hex"),
    Buffer.concat([RAW, Buffer.from("2")]),
  ]);
  return record;
}

const T = `'${NOW.toISOString()}'`;
const LATER = `'${at(60).toISOString()}'`;
const SUBJECT = "(select id from subjects where name = 'gpu001')";
const CLASS = "(select class_id from nodes where id = (select id from subjects where name = 'gpu001'))";
const F = "sha256('f')";
const ROWS = [
  `insert into evidence (sha256, media_type, byte_count, bytes) values (${SHA}, 'text/plain', 10, convert_to('raw output', 'UTF8'))`,
  `insert into observations (subject_id, field, source, kind, text, host_epoch, model_epoch, observed_at, request, observer, row_hash) values (${SUBJECT}, 'service', 'slurm', 'value', 'idle', 0, 0, ${T}, 'r', 'w', ${F})`,
  `insert into verdicts (check_id, verdict, reason, because, facts, judged_at) values ('k1', 'unresolved', 'no_data', '', '{}', ${T})`,
  `insert into verdicts (check_id, verdict, reason, because, facts, judged_at) values ('k2', 'fail', 'not_as_expected', '', '{}', ${T})`,
  "insert into citations (verdict_id, observation_id) select (select min(id) from verdicts), (select min(id) from observations)",
  `insert into check_members (check_id, subject_id) values ('k1', ${SUBJECT})`,
  `insert into decisions (id, cluster_id, change_id, kind, on_what, on_id, choice, permits, reason, fingerprint, by_id, at) values ('d1', 'sim-h100', '${CHANGE}', 'plan_approval', 'change', '${CHANGE}', 'approve', '', '', ${F}, 'MR', ${T})`,
  `insert into acceptance_jobs (id, name, version, spec, fingerprint, author_id) values ('j@1', 'j', 1, '{}', ${F}, 'LT')`,
  `insert into runs (id, job_id, class_id, subject_id, change_id, purpose, started_at, finished_at, host_epoch, context, input_sha, app_version) values ('r1', 'j@1', ${CLASS}, ${SUBJECT}, '${CHANGE}', 'baseline', ${T}, ${T}, 0, '{}', ${F}, '')`,
  "insert into measurements (run_id, metric, value, unit) values ('r1', 'busbw', 1, 'GB/s')",
  `insert into baselines (id, job_id, class_id, summary, fingerprint, captured_by_id, captured_at, retired_at) values ('b1', 'j@1', ${CLASS}, '{}', ${F}, 'AK', ${T}, ${T})`,
  "insert into baseline_runs (baseline_id, run_id) values ('b1', 'r1')",
  `insert into change_jobs (change_id, revision, class_id, job_id, locked_by_id, locked_at) values ('${CHANGE}', 1, ${CLASS}, 'j@1', 'LT', ${T})`,
  `insert into host_keys (subject_id, key_type, fingerprint, host_epoch, pinned_at) values (${SUBJECT}, 'ed25519', 'x', 0, ${T})`,
  `insert into reports (id, change_id, class_id, number, body, fingerprint, created_at) values ('p1', '${CHANGE}', ${CLASS}, 1, '{}', ${F}, ${T})`,
  `insert into second_readings (id, change_id, report_id, reader_id, answers, differences, fingerprint, at) values ('s1', '${CHANGE}', 'p1', 'JS', '{}', '[]', ${F}, ${T})`,
  `insert into rehearsal_links (change_id, rehearsal_id, kind, finding, linked_by_id, at) values ('${CHANGE}', 'CH-2', 'failure', '{}', 'AK', ${T})`,
  `insert into proposals (id, cluster_id, question, answer, at) values ('q1', 'sim-h100', '{}', '{}', ${T})`,
  `insert into emergencies (change_id, criterion, declared_by_id, declared_at, notice_minutes, announcement) values ('CH-2', '{}', 'AK', ${T}, 30, '')`,
  `insert into holds (id, cluster_id, change_id, kind, because, owner_id, since, released_at) values ('h1', 'sim-h100', '${CHANGE}', 'person', '', 'AK', ${T}, ${T}), ('h2', 'sim-h100', '${CHANGE}', 'person', '', 'AK', ${T}, null)`,
  `insert into findings (id, cluster_id, change_id, kind, key, because, facts, opened_at, closed_at) values ('f1', 'sim-h100', '${CHANGE}', 'drift', 'a', '', '{}', ${T}, ${T}), ('f2', 'sim-h100', '${CHANGE}', 'drift', 'b', '', '{}', ${T}, null)`,
  `insert into obligations (id, change_id, kind, name, since, settled_at) values ('o1', '${CHANGE}', 'drain', 'n', ${T}, ${T}), ('o2', '${CHANGE}', 'drain', 'n', ${T}, null)`,
  `insert into commands (key, change_id, kind, generation, request, deadline_at, finished_at, state) values ('c1', '${CHANGE}', 'probe', 1, '{}', ${T}, ${T}, 'succeeded'), ('c2', '${CHANGE}', 'probe', 1, '{}', ${T}, null, 'planned')`,
  `insert into handoffs (id, change_id, from_id, offered_at, expires_at, answered_at, page, fingerprint) values ('ho1', '${CHANGE}', 'AK', ${T}, ${T}, ${T}, '{}', ${F})`,
  `insert into post_mortems (change_id, owner_id, opened_at, due_at, closed_at) values ('CH-2', 'AK', ${T}, ${T}, ${T})`,
  `insert into api_tokens (id, person_id, name, hash, revoked_at) values ('t1', 'AK', 'x', ${F}, ${T})`,
];

const insert = (id: string, kind: string, check: string, until: string): string =>
  `insert into decisions (id, cluster_id, change_id, kind, on_what, on_id, check_id, choice, permits, reason, fingerprint, by_id, at, until) values ('${id}', 'sim-h100', '${CHANGE}', '${kind}', 'check', '${check}', '${check}', 'waive', '', '', ${F}, 'MR', ${T}, ${until})`;
const verdict = (word: string, sha: string): string =>
  `insert into verdicts (check_id, verdict, reason, because, facts, judged_at, evidence_sha) values ('k1', '${word}', 'as_expected', '', '{}', ${T}, ${sha})`;
const check = (id: string, name: string, verdictWord: string, beforehand: string): string =>
  `insert into checks (id, change_id, gate, target_id, name, spec, verdict, not_applicable_because) values ('${id}', '${CHANGE}', 'batches', '${targetOf(1)}', '${name}', '{}', ${verdictWord}, ${beforehand})`;
const event = (chain: string, seq: string, prev: string, hash: string): string =>
  `insert into audit_events (chain, seq, at, actor, action, body, prev_hash, hash) values ('${chain}', ${seq}, ${T}, 'w', 'a', 'b', ${prev}, ${hash})`;
const HEAD = `(select hash from audit_heads where chain = '${CHANGE}')`;
const NEXT = `(select seq + 1 from audit_heads where chain = '${CHANGE}')`;
const hashed = (prev: string): string => `sha256(${prev} || convert_to('b', 'UTF8'))`;
const APPEND_ONLY = [
  "observations",
  "evidence",
  "plans",
  "verdicts",
  "citations",
  "decisions",
  "node_classes",
  "acceptance_jobs",
  "change_jobs",
  "measurements",
  "baseline_runs",
  "host_keys",
  "check_members",
  "reports",
  "second_readings",
  "rehearsal_links",
  "proposals",
  "emergencies",
  "audit_events",
];
const FROZEN = {
  commands: "key = 'c1'",
  holds: "id = 'h1'",
  findings: "id = 'f1'",
  obligations: "id = 'o1'",
  runs: "id = 'r1'",
  baselines: "id = 'b1'",
  handoffs: "id = 'ho1'",
  post_mortems: "change_id = 'CH-2'",
  api_tokens: "id = 't1'",
};
const columnOf: Record<string, string> = {
  audit_events: "chain",
  emergencies: "change_id",
  host_keys: "key_type",
  node_classes: "label",
  evidence: "media_type",
  observations: "source",
  verdicts: "because",
  citations: "verdict_id",
  measurements: "metric",
  baseline_runs: "run_id",
  check_members: "check_id",
  plans: "yaml",
  change_jobs: "job_id",
  rehearsal_links: "rehearsal_id",
};
const touch = (table: string): string => columnOf[table] ?? "id";

/** What the database refuses, whatever the code does: name, statement, what it says. */
export const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ...APPEND_ONLY.map(
    (table) => [`changing a row of ${table}`, `update ${table} set ${touch(table)} = ${touch(table)}`, /never changed or removed/] as const,
  ),
  ...APPEND_ONLY.map((table) => [`removing a row of ${table}`, `delete from ${table}`, /never changed or removed/] as const),
  ...APPEND_ONLY.map((table) => [`emptying ${table}`, `truncate ${table} cascade`, /never changed or removed/] as const),
  ...Object.entries(FROZEN).map(
    ([table, where]) =>
      [
        `reopening a closed row of ${table}`,
        `update ${table} set ${where.split(" ")[0]} = ${where.split(" ")[0]} where ${where}`,
        /is closed since/,
      ] as const,
  ),
  ...Object.entries(FROZEN).map(
    ([table, where]) => [`removing a row of ${table}`, `delete from ${table} where ${where}`, /never removed/] as const,
  ),
  [
    "evidence under another content's hash",
    `insert into evidence (sha256, media_type, byte_count, bytes) values (sha256('x'), 't', 1, 'y')`,
    /evidence_hash/,
  ],
  [
    "evidence with a wrong size",
    `insert into evidence (sha256, media_type, byte_count, bytes) values (sha256('x'), 't', 2, 'x')`,
    /evidence_hash/,
  ],
  ["a pass that rests on nothing", verdict("pass", "null"), /without evidence/],
  ["not applicable that was not said beforehand", verdict("not_applicable", "null"), /not_applicable_is_said_beforehand/],
  ["a verdict on a check declared not applicable", check("k9", "n", "'pass'", "'no fabric'"), /not_applicable_is_said_beforehand/],
  ["a second identical check", check("k9", "driver version", "null", "null"), /checks_identity/],
  [
    "a second open finding of one key",
    `insert into findings (id, cluster_id, kind, key, because, facts, opened_at) values ('f9', 'sim-h100', 'drift', 'b', '', '{}', ${T})`,
    /findings_open_once/,
  ],
  ["waiving a failure", insert("w1", "waiver", "k2", LATER), /only an unresolved check/],
  ["waiving without expiry", insert("w1", "waiver", "k1", "null"), /only an unresolved check/],
  ["an audit line with a wrong hash", event(CHANGE, NEXT, HEAD, "sha256('z')"), /audit_hash/],
  ["an audit line on another's hash", event(CHANGE, NEXT, "sha256('z')", hashed("sha256('z')")), /audit_link/],
  ["a gap in the chain", event(CHANGE, `${NEXT} + 1`, HEAD, hashed(HEAD)), /audit_link/],
  ["a chain that begins on nothing", event("new", "1", "sha256('z')", hashed("sha256('z')")), /audit_first/],
  ["two changes with one node", "update targets set step = 'failed' where id = 'CH-2:gpu001'", /targets_one_hand/],
  [
    "a node taken while another change has the hand (R6.5)",
    "update targets set step = 'checking' where id = 'CH-2:gpu005'",
    /another change has nodes/,
  ],
  [
    "a state that R7.2 does not lead to",
    "update changes set state = 'IN_PROGRESS' where id = 'CH-2'",
    /does not go from PENDING to IN_PROGRESS/,
  ],
  ["going back from the end", "update changes set state = 'PENDING' where id = 'CH-1'", /does not go from/],
  ["an end without its outcome", `update changes set state = 'COMPLETED', ended_at = ${T} where id = 'CH-1'`, /outcome_fits_state/],
  [
    "withdrawn after its start",
    `update changes set state = 'COMPLETED', outcome = 'withdrawn', ended_at = ${T} where id = 'CH-1'`,
    /outcome_fits_state/,
  ],
  [
    "a node released without owner and ticket",
    "update targets set step = 'released' where id = 'CH-1:gpu001'",
    /released_has_owner_and_ticket/,
  ],
  [
    "stop all on one change",
    `insert into holds (id, cluster_id, change_id, kind, because, owner_id, since) values ('h9', 'sim-h100', 'CH-1', 'stop_all', '', 'AK', ${T})`,
    /stop_all_has_no_change/,
  ],
  [
    "a window that ends before it starts",
    `insert into windows (id, cluster_id, title, starts_at, ends_at, timezone, booked_by_id) values ('x', 'sim-h100', '', ${LATER}, ${T}, 'UTC', 'AK')`,
    /window_is_a_span/,
  ],
  [
    "a freeze that ends before it starts",
    `insert into freezes (id, reason, starts_at, ends_at, timezone) values ('x', '', ${LATER}, ${T}, 'UTC')`,
    /freeze_is_a_span/,
  ],
  [
    "a place that is no place",
    `insert into places (change_id, subject_id, field) values ('CH-1', ${SUBJECT}, 'host_report')`,
    /place_is_definition_or_model/,
  ],
  ["a clock faster than 60", "update clock set factor = 61", /clock_factor/],
  ["a clock slower than time", "update clock set factor = 0.5", /clock_factor/],
  ["a second clock", "insert into clock (id, real_epoch, shown_epoch) values (2, 0, 0)", /clock_has_one_row/],
];

/** The neighbours of the refusals, which must go on working. */
export const ALLOWED: readonly (readonly [string, string])[] = [
  [
    "the same evidence once more",
    `insert into evidence (sha256, media_type, byte_count, bytes) values (${SHA}, 't', 10, convert_to('raw output', 'UTF8')) on conflict do nothing`,
  ],
  ["a pass on evidence", verdict("pass", SHA)],
  ["an unresolved verdict on nothing", verdict("unresolved", "null")],
  ["not applicable, said beforehand", check("k9", "n", "'not_applicable'", "'no fabric'")],
  ["the same check in another pass", check("k9", "driver version", "null", "null").replace("'batches'", "'canary'")],
  [
    "a finding again after it was closed",
    `insert into findings (id, cluster_id, kind, key, because, facts, opened_at) values ('f9', 'sim-h100', 'drift', 'a', '', '{}', ${T})`,
  ],
  ["waiving an unresolved check until a time", insert("w1", "waiver", "k1", LATER)],
  ["another decision on a failure", insert("w1", "judgement", "k2", "null")],
  ["the next audit line", event(CHANGE, NEXT, HEAD, hashed(HEAD))],
  ["the first line of a new chain", event("new", "1", "sha256(convert_to('new', 'UTF8'))", hashed("sha256(convert_to('new', 'UTF8'))"))],
  ["closing a hold", `update holds set released_at = ${T} where id = 'h2'`],
  ["closing a finding", `update findings set closed_at = ${T} where id = 'f2'`],
  ["settling an obligation", `update obligations set settled_at = ${T} where id = 'o2'`],
  ["finishing a command", `update commands set finished_at = ${T}, state = 'failed' where key = 'c2'`],
  [
    "a node released with owner and ticket",
    "update targets set step = 'released', released_to_id = 'DV', ticket = 'T-1' where id = 'CH-1:gpu001'",
  ],
  ["withdrawing before the start", `update changes set state = 'COMPLETED', outcome = 'withdrawn', ended_at = ${T} where id = 'CH-2'`],
  ["a degraded end", `update changes set state = 'DEGRADED', ended_at = ${T} where id = 'CH-1'`],
  ["forgetting old observations that nobody cites", `select forget_observations(${LATER}, 10)`],
];
