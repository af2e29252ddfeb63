import { type CliIo } from "./cli-io";
import { runAudit } from "./audit";
import { runChange } from "./change";
import { runEvidenceRead } from "./evidence-read";
import { runPlanPreview } from "./plan-preview";

const USAGE = `usage: clearance COMMAND ...

offline
  plan preview FILE --inventory FILE [--json]
  evidence read --parser NAME FILE [--baseline RAW_FILE] [--limit "busbw > 95%"] [--expect NAME=VALUE]... [--json]

over the API (CLEARANCE_URL, CLEARANCE_TOKEN)
  change create PLAN_FILE
  change show ID
  change act ID ACTION [JSON | @FILE]
  audit verify [ID]
`;

/** Runs one command and resolves to its exit code; 2 for a line that is no command. */
export async function runClearance(argv: readonly string[], io: CliIo): Promise<number> {
  const [area, verb, ...rest] = argv;
  switch (`${area} ${verb}`) {
    case "plan preview":
      return runPlanPreview(rest, io);
    case "evidence read":
      return runEvidenceRead(rest, io);
    case "change create":
    case "change show":
    case "change act":
      return runChange([verb ?? "", ...rest], io);
    case "audit verify":
      return runAudit(rest, io);
    default: {
      const asked = area === "--help" || area === "-h" || area === "help";
      (asked ? io.out : io.err)(USAGE);
      return asked ? 0 : 2;
    }
  }
}
