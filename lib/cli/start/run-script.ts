import { CannotStart } from "./cannot-start";
import { lastWords, startNode } from "./child-process";

type Script = {
  readonly name: string;
  readonly file: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logFile: string;
};

/** Runs one TypeScript file to its end. Throws `CannotStart` with the last line it said when it fails. */
export async function runScript({ name, file, root, env, logFile }: Script): Promise<void> {
  const { code } = await startNode({ name, argv: ["--import", "tsx", file], env, cwd: root, logFile }).ended;
  if (code !== 0) throw new CannotStart(lastWords(logFile));
}
