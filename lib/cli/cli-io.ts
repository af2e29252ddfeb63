/** What the command touches of the world. */
export type CliIo = {
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
};
