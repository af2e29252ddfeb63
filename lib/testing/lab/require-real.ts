import { appendFileSync, existsSync } from "node:fs";

const PROGRAMS = {
  slurm: ["/usr/sbin/slurmctld", "/usr/sbin/slurmd", "/usr/sbin/slurmrestd", "/usr/bin/scontrol", "/usr/sbin/munged", "/usr/sbin/sshd"],
  prometheus: ["/usr/bin/prometheus"],
  sshd: ["/usr/sbin/sshd"],
  chromium: ["/usr/bin/chromium"],
} as const;

type RealPart = keyof typeof PROGRAMS;

/**
 * Are the real programs of this part here? Where they must be (CLEARANCE_REQUIRE_REAL=1) a missing one throws; elsewhere the suite is skipped. Either
 * way one line goes to the file that CLEARANCE_REAL_REPORT names, so that the runner's closing table shows what was not run.
 */
export function requireReal(part: RealPart): boolean {
  const missing = PROGRAMS[part].filter((program) => !existsSync(program));
  const needsRoot = part === "slurm" && process.getuid?.() !== 0 ? ["root (Slurm's daemons change users)"] : [];
  const lacking = [...missing, ...needsRoot];
  const required = process.env["CLEARANCE_REQUIRE_REAL"] === "1";
  report(part, lacking.length === 0 ? "run" : required ? "missing" : "skipped");
  if (lacking.length > 0 && required) {
    throw new Error(`The tests against the real ${part} are required here, but these are missing: ${lacking.join(", ")}`);
  }
  return lacking.length === 0;
}

function report(part: RealPart, status: "run" | "skipped" | "missing"): void {
  const file = process.env["CLEARANCE_REAL_REPORT"];
  if (file !== undefined && file !== "") appendFileSync(file, `${JSON.stringify({ part, status })}\n`);
}
