import { apiClient, type ApiFault } from "./api-client";
import { type CliIo } from "./cli-io";
import { printable, printableLines } from "./printable";

const USAGE = "usage: clearance change create PLAN_FILE | change show ID | change act ID ACTION [JSON | @FILE]\n";
const DONE = 0;
const REFUSED = 1;
const UNUSABLE = 2;

/**
 * `change create|show|act` over the API; prints the answer as JSON. Exit 0 done, 1 refused by the rules (closed action, not allowed, conflict),
 * 2 unusable input or nobody to ask.
 */
export async function runChange([verb, ...words]: readonly string[], io: CliIo, ask: typeof fetch = fetch): Promise<number> {
  const [first, action, body] = words;
  const most = verb === "act" ? 3 : 1;
  if (first === undefined || words.length > most || (verb === "act" && action === undefined)) {
    io.err(USAGE);
    return UNUSABLE;
  }
  const client = apiClient(io.env, ask);
  if (!client.ok) {
    io.err(`${client.error}\n`);
    return UNUSABLE;
  }
  try {
    const id = encodeURIComponent(first);
    switch (verb) {
      case "create":
        return told(
          io,
          await client.value.call({
            method: "POST",
            path: "/changes",
            body: { type: "application/yaml", bytes: await io.readFile(first) },
          }),
        );
      case "show":
        return told(io, await client.value.call({ method: "GET", path: `/changes/${id}` }));
      default: {
        const bytes = body?.startsWith("@") === true ? await io.readFile(body.slice(1)) : (body ?? "{}");
        const path = `/changes/${id}/actions/${encodeURIComponent(action ?? "")}`;
        return told(io, await client.value.call({ method: "POST", path, body: { type: "application/json", bytes } }));
      }
    }
  } catch (cause) {
    io.err(`The file cannot be read: ${printable(cause instanceof Error ? cause.message : String(cause))}\n`);
    return UNUSABLE;
  }
}

function told(
  io: CliIo,
  answer: { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ApiFault },
): number {
  if (answer.ok) {
    io.out(`${JSON.stringify(answer.value, null, 2)}\n`);
    return DONE;
  }
  const { status, because, body } = answer.error;
  if (body !== null) io.out(`${JSON.stringify(body, null, 2)}\n`);
  io.err(`${printableLines(because)}\n`);
  return status === 403 || status === 409 ? REFUSED : UNUSABLE;
}
