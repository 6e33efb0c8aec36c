// `npm start`: installs and builds what is missing, then shows the demo. `npm start -- PATH ...` is `ao start` there.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, ensurePackages, isBuilt, root } from "./lib.mjs";

/** Options whose next word is theirs, so that it is not taken for a path. */
const VALUED = ["--dir", "--speed", "--port", "--host", "--config"];

const args = process.argv.slice(2);
const hasPath = args.some((arg, index) => !arg.startsWith("-") && !VALUED.includes(args[index - 1]));

ensurePackages();
if (!isBuilt()) {
  console.log("building ...");
  build();
}
const child = spawn(process.execPath, [join(root, "dist/cli/ao.cjs"), hasPath ? "start" : "demo", ...args], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  stdio: "inherit",
});
// Ctrl+C reaches the child too; it says goodbye, and this process ends with it. Other signals are passed on.
process.on("SIGINT", () => undefined);
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => process.exit(signal === null ? code : 1));
