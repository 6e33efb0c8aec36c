// `npm start`: installs and builds what is missing, then shows the demo. `npm start -- PATH ...` is `ao start` there.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { build, ensurePackages, root } from "./lib.mjs";

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

/** Is everything that was built newer than everything that it was built from? */
function isBuilt() {
  const built = join(root, "dist/cli/ao.cjs");
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = readdirSync(join(root, "src"), { recursive: true }).map((name) => join(root, "src", name));
  const all = [...sources, join(root, "package-lock.json"), join(root, "tsconfig.build.json")];
  return all.every((path) => statSync(path).mtimeMs <= mtimeMs);
}
