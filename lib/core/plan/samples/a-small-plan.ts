/** The shortest plan that reads, with lines replaced or added by their name. */
export function aSmallPlan(lines: Readonly<Record<string, string | null>> = {}): string {
  const all: Record<string, string | null> = {
    apiVersion: "clearance/v1",
    title: "GPU driver",
    cluster: "sim-h100",
    type: "gpu_driver",
    target: "{nodes: 'gpu[001-064]', driver: 570.10}",
    ...lines,
  };
  return Object.entries(all)
    .flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\n`]))
    .join("");
}
