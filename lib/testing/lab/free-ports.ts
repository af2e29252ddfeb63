import { createServer } from "node:net";

/** First port of `count` consecutive ports of which those at `offsets` are free on loopback, below the range that outgoing connections use. */
export async function freePorts(offsets: readonly number[]): Promise<number> {
  const span = Math.max(...offsets) + 1;
  for (let attempt = 0; attempt < 200; attempt++) {
    const base = 15_000 + Math.floor(Math.random() * (32_000 - 15_000 - span));
    const free = await Promise.all(offsets.map((offset) => isFree(base + offset)));
    if (free.every(Boolean)) return base;
  }
  throw new Error(`no ${offsets.length} free ports found on loopback`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
