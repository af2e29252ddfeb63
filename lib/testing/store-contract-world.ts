import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandKey, TargetId } from "@/lib/core/kernel/ids";
import { at } from "./a-moment";
import { commitMoves, targetOf, type TestRecord } from "./store-contract-record";

const COMMAND = "CH-1/gpu001/check_health/1" as CommandKey;
const PATIENCE_MS = 60_000;

/** Worker processes on one record, whose world is a folder with a journal. */
export class WorkerWorld {
  private readonly folder = mkdtempSync(join(tmpdir(), "clearance-world-"));
  private readonly workers: ChildProcess[] = [];
  constructor(private readonly record: TestRecord) {}

  private journal(): readonly string[] {
    const file = join(this.folder, "journal");
    return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
  }

  /** Lines of the journal that begin with these words. */
  said = (words: string): readonly string[] => this.journal().filter((line) => line.startsWith(words));

  /** Keeps the given attempt between its claim and its deed until `release`. */
  hold = (attempt: number): void => writeFileSync(join(this.folder, `hold-${attempt}`), "");
  release = (attempt: number): void => rmSync(join(this.folder, `hold-${attempt}`));

  async until(what: string, look: () => boolean): Promise<void> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline;) {
      if (look()) return;
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    throw new Error(`never saw ${what}:\n${this.journal().join("\n")}`);
  }
  untilSaid = (line: string): Promise<void> => this.until(line, () => this.journal().includes(line));

  async worker(): Promise<ChildProcess> {
    const settings = { CLEARANCE_BEAT_MS: "200", CLEARANCE_SILENT_MS: "1500" };
    const env = { ...process.env, NODE_OPTIONS: "", DATABASE_URL: this.record.url, WORLD_FOLDER: this.folder, ...settings };
    const argv = ["--no-deprecation", "--import", "tsx", "lib/testing/store-contract-worker.ts"];
    const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "ignore", "inherit"] });
    this.workers.push(child);
    await this.untilSaid(`ready ${child.pid}`);
    return child;
  }

  /** Plans the one command of these tests. */
  async ask(): Promise<void> {
    const request = { kind: "check_health" as const, node: "gpu001", expectGpus: 8 };
    const targetId = targetOf(1) as TargetId;
    await commitMoves(this.record, [], {
      commands: [{ key: COMMAND, kind: "check_health", targetId, generation: 1, deadlineAt: at(30), because: "health check", request }],
    });
  }
  command = async (): Promise<unknown> =>
    (await this.record.sql("select state, attempt, outcome ->> 'result' as result from commands where key = $1", [COMMAND]))[0];

  close(): void {
    for (const worker of this.workers) worker.kill("SIGKILL");
    rmSync(this.folder, { recursive: true, force: true });
  }
}
