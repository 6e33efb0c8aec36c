// `npm start`: installs and builds what is missing, then shows the demo; with `--forge github` on a GitHub of its own.
// `npm start -- PATH ...` is `ao start` there.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, ensurePackages, isBuilt, root } from "./lib.mjs";
import { loadCompiled } from "./load-compiled.mjs";

/** Options that take a value, so that the value is not taken for a path. */
const VALUED = ["--dir", "--speed", "--port", "--host", "--config"];

const { forge, args } = takeForge(process.argv.slice(2));
const hasPath = args.some((arg, index) => !arg.startsWith("-") && !VALUED.includes(args[index - 1]));

ensurePackages();
if (!isBuilt()) {
  console.log("building ...");
  build();
}
const github = forge === null ? null : await startGithub();
const child = spawn(process.execPath, [join(root, "dist/cli/ao.cjs"), hasPath ? "start" : "demo", ...args], {
  cwd: process.env.INIT_CWD ?? process.cwd(),
  env: { ...process.env, ...(github === null ? {} : { AO_DEMO_FORGE: JSON.stringify(github) }) },
  stdio: "inherit",
});
// Ctrl+C reaches the child too, which exits, and this process with it. Other signals are forwarded.
process.on("SIGINT", () => undefined);
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", async (code, signal) => {
  await github?.close();
  process.exit(signal === null ? code : 1);
});

/** The requested forge, and the other arguments. */
function takeForge(words) {
  const at = words.findIndex((word) => word === "--forge" || word.startsWith("--forge="));
  if (at < 0) return { forge: null, args: words };
  const isJoined = words[at].includes("=");
  const name = isJoined ? words[at].slice("--forge=".length) : words[at + 1];
  if (name !== "github") {
    console.error(`error: unknown forge "${name ?? ""}"\nhint: npm start -- --forge github`);
    process.exit(2);
  }
  return { forge: name, args: words.toSpliced(at, isJoined ? 1 : 2) };
}

/** The tests' GitHub, in this process; not part of the published package. */
async function startGithub() {
  const { startDemoGithub } = await loadCompiled("src/testing/demo-github/start-demo-github.ts");
  return startDemoGithub(join(root, "demo/issues"));
}
