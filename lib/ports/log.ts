/** Structured lines; never secrets, never whole tool outputs. */
export interface Log {
  info(facts: Readonly<Record<string, unknown>>, text: string): void;
  warn(facts: Readonly<Record<string, unknown>>, text: string): void;
  error(facts: Readonly<Record<string, unknown>>, text: string): void;
}
