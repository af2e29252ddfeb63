/** Failed sign-ins of one account, kept in this process only. */
export type SignInAttempts = {
  readonly mayTry: (account: string, nowMs: number) => boolean;
  readonly failed: (account: string, nowMs: number) => void;
  readonly succeeded: (account: string) => void;
};

const MOST = 10;
const WITHIN_MS = 15 * 60_000;
const MOST_ACCOUNTS = 10_000;

/** After ten failures within a quarter of an hour an account is closed for the rest of it, known or not. */
export function signInAttempts(): SignInAttempts {
  const failures = new Map<string, number[]>();
  const recent = (account: string, nowMs: number): number[] => (failures.get(account) ?? []).filter((at) => nowMs - at < WITHIN_MS);
  return {
    mayTry: (account, nowMs) => recent(account, nowMs).length < MOST,
    failed: (account, nowMs) => {
      const before = recent(account, nowMs);
      failures.delete(account);
      if (failures.size >= MOST_ACCOUNTS) failures.delete(failures.keys().next().value ?? "");
      failures.set(account, [...before, nowMs].slice(-MOST));
    },
    succeeded: (account) => void failures.delete(account),
  };
}
