import { createReadStream } from "node:fs";

import { bytesWithin } from "./bytes-within";

const MIB = 1024 * 1024;
/** Above everything that a command takes; each says its own limit for what is below. */
const MOST_BYTES = 64 * MIB + 1;

/** A file that a command was given: a pipe is one too, a device without end is given up at the limit. Rejects with a sentence. */
export async function readWithin(path: string, most = MOST_BYTES): Promise<Uint8Array> {
  const bytes = await bytesWithin(createReadStream(path), most);
  if (bytes === null) throw new Error(`it is longer than ${Math.floor(most / MIB)} MiB`);
  return bytes;
}
