/** An expected failure is a value; exceptions mean a bug or broken infrastructure. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };
export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });
/** Last branch of every switch over a union: adding a member breaks the build, not the night. */
export const assertNever = (x: never): never => {
  throw new Error(`unexpected ${JSON.stringify(x)}`);
};
