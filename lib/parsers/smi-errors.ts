import { addNoise, addProblem, type Draft } from "./reading-draft";

const MISMATCH = /Driver\/library version mismatch/i;

/** Lines by which nvidia-smi says that it has no data. The first that fits names the state of the node. */
export function readSmiError(draft: Draft, lines: readonly string[]): boolean {
  const text = lines.join("\n");
  const because = sayError(text);
  if (because === null) return false;
  draft.understood = "did_not_run";
  // Only a reboot brings library and module together again: a state of the node, which the record tells from a tool that broke.
  addProblem(draft, MISMATCH.test(text) ? "before_reboot" : "tool_error", because);
  for (const line of lines) addNoise(draft, line);
  return true;
}

function sayError(text: string): string | null {
  if (MISMATCH.test(text)) {
    const library = /NVML library version: (\S+)/.exec(text)?.[1];
    return `reboot pending: library ${library ?? "of another version"}, loaded module differs`;
  }
  if (/No devices were found/i.test(text)) return "No devices were found";
  if (/couldn't communicate with the NVIDIA driver/i.test(text)) return "the driver is not loaded: nvidia-smi cannot communicate with it";
  const handle = /Unable to determine the device handle for [^\n]*/i.exec(text);
  if (handle) return handle[0].slice(0, 200);
  if (/Failed to initialize NVML[^\n]*/i.test(text)) return /Failed to initialize NVML[^\n]*/i.exec(text)?.[0].slice(0, 200) ?? null;
  return null;
}
