// Makes the demo's content in the background after its first start. What it does and where it stopped is in logs/demo.log.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnv } from "@/lib/env";
import { wire } from "@/lib/wiring";
import { clustersSeen } from "./clusters-seen";
import { serviceCrew } from "./crew";
import { tellStory } from "./story";

const { controlUrl } = JSON.parse(
  readFileSync(join(process.env.CLEARANCE_DATA ?? ".clearance", "simulator", "directory.json"), "utf8"),
) as {
  controlUrl: string;
};
const wired = await wire(readEnv(process.env), "cli");
try {
  const { deps } = wired;
  await clustersSeen(deps, ["sim-h100", "sim-second", "sim-test"], () => "the worker's log tells more");
  await tellStory({ deps, crew: await serviceCrew(deps), fault });
  console.info("The demo's content is there.");
} catch (cause) {
  console.error(cause instanceof Error ? cause.stack : cause);
  console.error(`Stopped: ${cause instanceof Error ? cause.message : String(cause)}. The next start goes on from here.`);
  process.exitCode = 1;
} finally {
  await wired.close();
}

async function fault(body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${controlUrl}/_control/faults`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${JSON.stringify(body)}: ${answer.status} ${await answer.text()}`);
}
