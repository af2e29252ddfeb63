import { z } from "zod";
import type { HttpAnswer } from "@/lib/adapters/http/send-request";
import type { SourceError } from "@/lib/ports/source-error";
import { codeOfSentence } from "./cli-error";
import { printable } from "./names";

const Sentence = z.looseObject({
  error: z.string().nullish(),
  description: z.string().nullish(),
  errno: z.number().nullish(),
  error_code: z.number().nullish(),
  error_number: z.number().nullish(),
});
const Body = z.looseObject({ errors: z.array(Sentence).nullish() });

/** Why an answer of slurmrestd is no answer; null when it may be read. `errors` filled is an error with any status, 200 included. */
export function restError(answer: HttpAnswer, called: string): SourceError | null {
  const errors = errorsIn(answer);
  if (answer.status === 401 || answer.status === 403) {
    return {
      code: "denied",
      because: `${called} refused the user or the token (HTTP ${answer.status}). Check slurm.rest.user and its token.`,
    };
  }
  if (errors !== null && errors.length > 0) return sentenceError(errors, answer.status, called);
  if (answer.status === 200) return null;
  if (answer.status === 404)
    return { code: "unsupported_version", because: `${called} is not served there (HTTP 404). Which versions does the server offer?` };
  if (answer.status === 405) return { code: "unsupported_version", because: `${called} is not offered by this version (HTTP 405).` };
  const said = printable(Buffer.from(answer.bytes.subarray(0, 300)).toString("utf8"), 200);
  return { code: answer.status >= 500 ? "unreachable" : "refused", because: `${called} answered HTTP ${answer.status}: ${said}` };
}

function sentenceError(errors: readonly z.infer<typeof Sentence>[], status: number, called: string): SourceError {
  const said = errors
    .slice(0, 3)
    .map(({ error, description, errno, error_code, error_number }) => {
      const number = error_number ?? error_code ?? errno;
      const words = [error, description].filter((text): text is string => typeof text === "string" && text !== "");
      return `${words.join(": ") || "error"}${number === null || number === undefined ? "" : ` (${number})`}`;
    })
    .join("; ");
  if (/Unspecified error/i.test(said)) {
    // 22.05 says the same for a token that has expired and for a controller that is away
    return { code: "unreachable", because: `${called}: ${said}. Either the controller is away or the token has expired.` };
  }
  return { code: codeOfSentence(said), because: printable(`${called} (HTTP ${status}): ${said}`, 600) };
}

function errorsIn(answer: HttpAnswer): readonly z.infer<typeof Sentence>[] | null {
  if (!answer.contentType.includes("json") || answer.bytes.byteLength > 1024 * 1024) return null;
  try {
    const body = Body.safeParse(JSON.parse(Buffer.from(answer.bytes).toString("utf8")));
    return body.success ? (body.data.errors ?? null) : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null; // not JSON after all: the status speaks, and the reader of the body names the place
    throw cause;
  }
}
