import { z } from "zod";
import type { Result } from "@/lib/core/kernel/result";
import { err, ok } from "@/lib/core/kernel/result";
import type { SourceError } from "@/lib/ports/source-error";

const Meta = z.looseObject({ release: z.string().min(1).max(100) });
const Ping = z.looseObject({
  meta: z.looseObject({ Slurm: Meta.nullish(), slurm: Meta.nullish() }),
  pings: z.array(
    z.looseObject({
      hostname: z.string().nullish(),
      ping: z.string().nullish(),
      pinged: z.string().nullish(),
      responding: z.boolean().nullish(),
    }),
  ),
});

/** Answer to `ping`: at least one controller must be up. */
export function readPing(bytes: Uint8Array): Result<{ readonly version: string }, SourceError> {
  const ping = parsePing(bytes);
  if (ping === null) return err({ code: "unreadable", because: "The scheduler's answer to ping was not understood." });
  const up = ping.pings.some((one) => one.responding === true || /^UP$/i.test(one.pinged ?? one.ping ?? ""));
  if (!up) return err({ code: "unreachable", because: "slurmrestd answers, but no controller does." });
  const release = ping.meta.slurm?.release ?? ping.meta.Slurm?.release;
  return release === undefined ? err({ code: "unreadable", because: "The scheduler did not say its release." }) : ok({ version: release });
}

function parsePing(bytes: Uint8Array): z.infer<typeof Ping> | null {
  try {
    const ping = Ping.safeParse(JSON.parse(Buffer.from(bytes).toString("utf8")));
    return ping.success ? ping.data : null;
  } catch (cause) {
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
