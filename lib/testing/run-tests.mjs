// `npm test`: guards, unit tests, tests against the simulator and the real programs, the console in a browser, then whole paths. Every stage runs even when an
// earlier one failed, so that one run shows everything. Ends with what really ran; the exit code is 0 only when all of it was good.
import { register } from "tsx/esm/api";

register();
const { runTests } = await import("./run-tests/run-tests.ts");
process.exit(await runTests(process.env));
