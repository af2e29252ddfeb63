import type { Component } from "@/lib/core/config-state/observation";
import { PARSERS } from "@/lib/parsers/parsers";
import type { NodeShell } from "@/lib/ports/node-shell";
import type { NewEvidence } from "@/lib/ports/store";
import type { Hashing } from "./deps";
import { evidenceOf, outputOf, textOf } from "./perform/evidence-of";

/** One component as the host itself says it, or why it could not be read. */
export type Reported = {
  readonly component: Component;
  readonly kind: "value" | "unreadable";
  readonly text: string | null;
  readonly because: string;
  readonly request: string;
  readonly evidence: NewEvidence | null;
};

/** `state`: what the tool's refusal is known to mean, null where nobody knows. */
type Reader = {
  readonly command: string;
  readonly read: (stdout: Uint8Array) => string | null;
  readonly state?: (stdout: Uint8Array) => string | null;
};

/** A version as hosts write them: one short line of plain characters. Colours, invisible marks and undecodable bytes are none. */
const PLAIN = /^[\x21-\x7e][\x20-\x7e]{0,199}$/;

/** The one line that was printed; null when it is no plain text, or not the only one: which of two lines is meant nobody can tell. */
export function onlyLine(bytes: Uint8Array): string | null {
  if (bytes.length > 65_536) return null;
  const lines = textOf(bytes)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [line = ""] = new Set(lines);
  return new Set(lines).size === 1 && PLAIN.test(line) ? line : null;
}

/** Every GPU must say the same version: one that differs or says nothing makes the component unreadable, never the majority's. */
const everyDriver = (bytes: Uint8Array): string | null => {
  const reading = PARSERS["nvidia-smi"](bytes);
  const texts = new Set(reading.values.filter((value) => value.name === "driver_version").map((value) => value.text));
  const [only] = texts;
  return reading.understood === "complete" && reading.problems.length === 0 && texts.size === 1 && only !== undefined && PLAIN.test(only)
    ? only
    : null;
};

const driverState = (bytes: Uint8Array): string | null =>
  PARSERS["nvidia-smi"](bytes).problems.find((problem) => problem.reason === "before_reboot")?.because ?? null;

const DRIVER = "nvidia-smi --query-gpu=driver_version --format=csv,noheader";

/** How each component is asked for on the host. A component without a reader is unreadable, never assumed. */
const READERS: Partial<Record<Component, Reader>> = {
  gpu_driver: { command: DRIVER, read: everyDriver, state: driverState },
  // NVML refuses to answer when library and loaded module differ, so an answer speaks for both.
  gpu_driver_library: { command: DRIVER, read: everyDriver, state: driverState },
  kernel: { command: "uname -r", read: onlyLine },
};

/** Asks the host for components, one command each; commands shared by two components run once. Never throws for what a host may say. */
export async function reportHost(
  deps: { readonly shell: NodeShell; readonly hash: Hashing },
  node: string,
  components: readonly Component[],
  timeoutMs: number,
): Promise<readonly Reported[]> {
  const answers = new Map<
    string,
    Promise<{ readonly stdout: Uint8Array | null; readonly because: string; readonly evidence: NewEvidence | null }>
  >();
  const ask = async ({ command, state }: Reader) => {
    const end = await deps.shell.run({ node }, command, { timeoutMs, maxBytes: 1024 * 1024 });
    if (!end.ok) return { stdout: null, because: end.error.because, evidence: null };
    const evidence = evidenceOf(deps.hash, outputOf(end.value));
    if (end.value.truncated) return { stdout: null, because: `${command} printed more than could be kept`, evidence };
    if (end.value.exitCode !== 0) {
      const known = state?.(end.value.stdout) ?? null;
      return {
        stdout: null,
        because: `${command} ended with ${end.value.exitCode ?? end.value.signal ?? "no exit code"}: ${known === null ? "" : `${known}; `}${textOf(outputOf(end.value)).trim().slice(0, 200)}`,
        evidence,
      };
    }
    return { stdout: end.value.stdout, because: "", evidence };
  };
  return await Promise.all(
    components.map(async (component): Promise<Reported> => {
      const reader = READERS[component];
      if (reader === undefined) {
        return {
          component,
          kind: "unreadable",
          text: null,
          because: `no way to read ${component} on the host is known`,
          request: "none",
          evidence: null,
        };
      }
      const asked = answers.get(reader.command) ?? ask(reader);
      answers.set(reader.command, asked);
      const { stdout, because, evidence } = await asked;
      const text = stdout === null ? null : reader.read(stdout);
      const request = `ssh ${node}: ${reader.command}`;
      if (text === null) {
        return {
          component,
          kind: "unreadable",
          text: null,
          because: because || `${reader.command} printed nothing that names one version`,
          request,
          evidence,
        };
      }
      return { component, kind: "value", text, because: "", request, evidence };
    }),
  );
}
