// `npm run check [name ...]`: runs the guards over this tree, one line each, faults below; exit 1 when one failed.
import { register } from "tsx/esm/api";

register();
const { runGuards } = await import("./guards/run-guards.ts");
process.exit((await runGuards(process.argv.slice(2), process.cwd())) ? 0 : 1);
