/** All of a stream, or null as soon as it has brought more than `most` bytes: something without end is not waited for. */
export async function bytesWithin(parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, most: number): Promise<Uint8Array | null> {
  const kept: Uint8Array[] = [];
  let total = 0;
  for await (const part of parts) {
    total += part.byteLength;
    if (total > most) return null;
    kept.push(part);
  }
  return new Uint8Array(Buffer.concat(kept, total));
}

/** The parts of an answer's body, which is given up when nobody wants more of it. */
export async function* partsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) yield part.value;
  } finally {
    await reader?.cancel();
  }
}
