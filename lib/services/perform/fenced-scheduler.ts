import { err, type Result } from "@/lib/core/kernel/result";
import type { Scheduler } from "@/lib/ports/scheduler";
import type { SourceError } from "@/lib/ports/source-error";

/**
 * A scheduler that is written to only while the command is ours. A worker that hung, was declared dead and goes on holds an old answer: by now
 * the next one may have drained the node, updated it and given it back (MODEL 5.3). Reads are free.
 */
export function fencedScheduler(scheduler: Scheduler, stillMine: () => Promise<boolean>): Scheduler {
  const fenced =
    <Args extends readonly unknown[], T>(write: (...args: Args) => Promise<Result<T, SourceError>>) =>
    async (...args: Args): Promise<Result<T, SourceError>> =>
      (await stillMine()) ? await write(...args) : err({ code: "refused", because: "another worker has taken this command over" });
  return {
    ...scheduler,
    drain: fenced((node: string, reason: string) => scheduler.drain(node, reason)),
    resume: fenced((node: string) => scheduler.resume(node)),
    reboot: fenced((node: string, reason: string | null) => scheduler.reboot(node, reason)),
    reserve: fenced((wanted: Parameters<Scheduler["reserve"]>[0]) => scheduler.reserve(wanted)),
    unreserve: fenced((name: string) => scheduler.unreserve(name)),
    submit: fenced((job: Parameters<Scheduler["submit"]>[0]) => scheduler.submit(job)),
    cancel: fenced((jobId: string) => scheduler.cancel(jobId)),
  };
}
