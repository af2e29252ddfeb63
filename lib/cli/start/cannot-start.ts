/** Something a person has to mend before Clearance can run; the message is all they get to see, so it names the thing and the next step. */
export class CannotStart extends Error {}

/** The code of a system error ("EACCES"), or null. */
export const codeOf = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null;

/**
 * What a person is told when a start ends in `cause`, in one sentence; null for a bug, whose stack is wanted. A system error (disk full, a folder where a
 * file should be, no permission) is nobody's bug: Node's message names the operation and the path.
 */
export function sentenceOf(cause: unknown): string | null {
  if (cause instanceof CannotStart) return cause.message;
  const system = codeOf(cause) !== null && cause instanceof Error && "syscall" in cause;
  if (!system) return null;
  const path = "path" in cause && typeof cause.path === "string" && !cause.message.includes(cause.path) ? ` '${cause.path}'` : "";
  return `Clearance cannot start: ${cause.message.replace(/\s+/g, " ")}${path}. Mend that, or choose another data folder with CLEARANCE_DATA.`;
}
