import { readFile } from "node:fs/promises";
import { join } from "node:path";

import * as prettier from "prettier";

import { type Guard } from "./guard";
import { projectFiles } from "./project-files";

/** Everything that prettier understands is written as prettier writes it. */
export const formattingGuard: Guard = {
  name: "formatting",
  unit: "files",
  look: async (root) => {
    const faults: string[] = [];
    let looked = 0;
    for (const path of projectFiles(root)) {
      const full = join(root, path);
      const { ignored, inferredParser } = await prettier.getFileInfo(full, { ignorePath: join(root, ".prettierignore") });
      if (ignored || inferredParser === null) continue;
      looked++;
      const fault = await faultOf(full, path);
      if (fault !== null) faults.push(fault);
    }
    return { looked, faults };
  },
};

async function faultOf(full: string, path: string): Promise<string | null> {
  const text = await readFile(full, "utf8");
  const options = await prettier.resolveConfig(full);
  try {
    return (await prettier.check(text, { ...options, filepath: full })) ? null : `${path}: not formatted; run npm run format`;
  } catch (cause) {
    return `${path}: cannot be read (${cause instanceof Error ? cause.message.split("\n")[0] : String(cause)})`;
  }
}
