import { loadEnv } from "@/lib/env";
import { wire, type Wired } from "@/lib/wiring";

// Pages and routes are bundled apart, so a module-level value would exist twice in one process.
const kept = globalThis as typeof globalThis & { clearanceWired?: Promise<Wired> };

/** The concrete parts of this process, made once. A failed start is not kept: the next request tries again. */
export async function wired(): Promise<Wired> {
  kept.clearanceWired ??= loadEnv()
    .then((env) => wire(env, "web"))
    .catch((cause: unknown) => {
      delete kept.clearanceWired;
      throw cause;
    });
  return await kept.clearanceWired;
}
