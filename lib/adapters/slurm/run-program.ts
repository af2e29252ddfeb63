import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";
import { cliError } from "./cli-error";
import type { SlurmCli } from "./slurm-cli";

type ProgramAnswer = { readonly bytes: Uint8Array; readonly text: string; readonly request: string };

/** One of Slurm's programs, ended well; anything else is the error it told. */
export async function runProgram(cli: SlurmCli, argv: readonly string[], stdin?: string): Promise<Result<ProgramAnswer, SourceError>> {
  const end = await cli.run(argv, stdin);
  if (!end.ok) return end;
  const request = argv.join(" ");
  const error = cliError(end.value, request.slice(0, 200));
  if (error !== null) return err(error);
  return ok({ bytes: end.value.stdout, text: Buffer.from(end.value.stdout).toString("utf8"), request });
}
