// Shared by the scripts in this folder: run a command and stop if it fails; install missing packages.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The options of vitest for `npm test`; CI also runs the long tests. */
export const WITHOUT_LONG = ["--exclude", "**/*.long.test.ts"];

/** Runs a program in the repository and exits with its code if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (result.error) {
    console.error(`error: ${command} could not be started: ${result.error.message}`);
    process.exit(1);
  }
  if (result.status !== 0) process.exit(result.status ?? 1);
}

/** Starts a program in the repository in parallel; returns its exit code and, if quiet, its output. */
export function start(command, args, { env = {}, isQuiet = false } = {}) {
  const stdio = isQuiet ? ["ignore", "pipe", "pipe"] : "inherit";
  const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  let output = "";
  const keep = (chunk) => {
    output += chunk;
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: 1, output: `${command}: ${error.message}` }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

export const bin = (name) => join(root, "node_modules", ".bin", name);

/** Installs the npm packages when they are absent or older than the lockfile says. */
export function ensurePackages() {
  const wanted = readFileSync(join(root, "package-lock.json"), "utf8");
  const marker = join(root, "node_modules", ".package-lock.json");
  if (existsSync(marker) && sameVersions(wanted, readFileSync(marker, "utf8"))) return;
  console.log("installing npm packages ...");
  // No scripts: `prepare` would build now, and the caller builds afterwards anyway.
  const args = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  run("npm", args, { env: withoutGlobal(process.env) });
}

/** `npm install -g .` passes its own prefix on to the scripts it runs; an npm below it must install here. */
function withoutGlobal(env) {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^npm_config_(global|(\w+_)?prefix|omit)$/i.test(name)),
  );
}

function sameVersions(lockText, installedText) {
  const wanted = JSON.parse(lockText).packages;
  const installed = JSON.parse(installedText).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === "" || entry.optional || installed[path]?.version === entry.version,
  );
}

/** Installs programs if that works without asking (Debian, as root); otherwise their tests report that they are skipped. */
export function ensurePrograms(packages, { isOptional = false } = {}) {
  const missing = Object.entries(packages).filter(([, versionOf]) => spawnSync(...versionOf).status !== 0);
  if (missing.length === 0) return;
  const names = missing.map(([name]) => name);
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) {
    if (isOptional) return;
    console.log(`note: tests of ${names.join(" and ")} are skipped (install it with your package manager)`);
    return;
  }
  console.log(`installing ${names.join(" and ")} ...`);
  const quiet = { stdio: "ignore" };
  spawnSync("apt-get", ["update"], quiet);
  for (const name of names) spawnSync("apt-get", ["install", "-y", "--no-install-recommends", name], quiet);
}

/** Is the build newer than its sources? */
export function isBuilt() {
  const built = join(root, "dist/cli/ao.cjs");
  if (!existsSync(built)) return false;
  const { mtimeMs } = statSync(built);
  const sources = ["src", "web"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(root, folder, name)),
  );
  const all = [...sources, join(root, "package-lock.json"), join(root, "tsconfig.build.json")];
  return all.every((path) => statSync(path).mtimeMs <= mtimeMs);
}

/** Compiles src/ and web/ to dist/. */
export function build() {
  run(process.execPath, [join(root, "scripts", "build.mjs")]);
}
