import { createHash } from "node:crypto";
import type { HashText } from "@/lib/core/kernel/hash";
import type { Sha256 } from "@/lib/core/kernel/ids";

/** The real SHA-256, for passing into the core. */
export const aHash: HashText = (text) => createHash("sha256").update(text, "utf8").digest("hex") as Sha256;
