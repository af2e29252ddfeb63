import { z } from "zod";

import { apiClient, type ApiClient } from "./api-client";
import { type CliIo } from "./cli-io";
import { printable, printableLines } from "./printable";

const USAGE = "usage: clearance audit verify [CHANGE]\n";
const INTACT = 0;
const BROKEN = 1;
const UNUSABLE = 2;

const Verdict = z.looseObject({ intact: z.boolean() });
const Changes = z.looseObject({ changes: z.array(z.looseObject({ id: z.string().min(1) })) });

/**
 * `audit verify [CHANGE]`: has the server recompute one chain, or without a name that of the site and of every change it lists. Prints one JSON
 * document; exit 0 when all are intact, 1 when one is broken, 2 when that could not be found out.
 */
export async function runAudit(words: readonly string[], io: CliIo, ask: typeof fetch = fetch): Promise<number> {
  if (words.length > 1 || words[0]?.startsWith("-") === true) {
    io.err(USAGE);
    return UNUSABLE;
  }
  const client = apiClient(io.env, ask);
  if (!client.ok) {
    io.err(`${client.error}\n`);
    return UNUSABLE;
  }
  const chains = words[0] === undefined ? await allChains(client.value, io) : [words[0]];
  if (chains === null) return UNUSABLE;
  const verdicts: { chain: string; verdict: unknown }[] = [];
  let exit = INTACT;
  for (const chain of chains) {
    const answer = await client.value.call({ method: "GET", path: `/changes/${encodeURIComponent(chain)}/audit` });
    const verdict = answer.ok ? Verdict.safeParse(answer.value) : null;
    if (!answer.ok) io.err(`${printableLines(`${chain}: ${answer.error.because}`)}\n`);
    else if (verdict?.success !== true) io.err(`${printable(chain)}: the answer does not say whether the chain is intact.\n`);
    verdicts.push({ chain, verdict: answer.ok ? answer.value : null });
    exit = Math.max(exit, verdict?.success === true ? (verdict.data.intact ? INTACT : BROKEN) : UNUSABLE);
  }
  io.out(`${JSON.stringify({ chains: verdicts }, null, 2)}\n`);
  return exit;
}

async function allChains(client: ApiClient, io: CliIo): Promise<readonly string[] | null> {
  const answer = await client.call({ method: "GET", path: "/changes" });
  const list = answer.ok ? Changes.safeParse(answer.value) : null;
  if (list?.success === true) return ["site", ...list.data.changes.map(({ id }) => id)];
  io.err(`The changes could not be listed: ${answer.ok ? "the answer has another form" : printableLines(answer.error.because)}\n`);
  return null;
}
