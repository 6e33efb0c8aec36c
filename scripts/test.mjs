// `npm test`: installs what is missing, then types, lint, dead code and every kind of test, except those that take long.
// `npm run test:long` runs only those (`*.long.test.ts`).
// `npm run test:full` runs everything, with the stated counts of kills and cases (AO_TEST_FULL=1).
// `npm run test:quick` runs only the tests that start no program; it needs no build.
import { installAgents } from "./agent-programs.mjs";
import { bin, build, ensurePackages, ensurePrograms, run, start, WITHOUT_LONG } from "./lib.mjs";

const tier = process.argv.slice(2).find((word) => word.startsWith("--")) ?? "--default";
const FILES = { "--default": WITHOUT_LONG, "--long": [".long.test.ts"], "--full": [] };
ensurePackages();
if (tier === "--quick") {
  run(bin("vitest"), ["run", "--project", "pure"]);
  process.exit();
}
ensurePrograms({
  tmux: ["tmux", ["-V"]],
  bubblewrap: ["bwrap", ["--version"]],
  chromium: [process.env.AO_CHROMIUM ?? "chromium", ["--version"]],
});
// The dashboard tests use this one if available, and the other one otherwise.
ensurePrograms({ "chromium-headless-shell": ["chromium-headless-shell", ["--version"]] }, { isOptional: true });
// The first-hour test uses a real agent. Without it (no registry) those tests are reported as skipped.
if (installAgents(["claude-code"]).length > 0) console.log("note: tests with the real Claude Code are skipped");
build();
const checks = tier === "--long" ? 0 : check();
// A real program on a busy machine may miss a limit once, so these tests get a second try, and their names are printed. The full
// counts are for finding rare failures: nothing is retried there.
const env = tier === "--full" ? { AO_TEST_FULL: "1" } : { AO_TEST_RETRY: "1" };
const tested = await start(bin("vitest"), ["run", ...FILES[tier]], { env });
process.exit(Math.max(tested.code, await checks));

/** Types, lint and dead code, in parallel with the tests, which mostly wait for other processes. Returns the worst exit code. */
async function check() {
  let worst = 0;
  for (const [name, ...args] of [
    ["tsc", "--noEmit"],
    ["tsc", "-p", "web", "--noEmit"],
    ["biome", "ci", "."],
    ["knip"],
  ]) {
    const { code, output } = await start(bin(name), args, { isQuiet: true });
    if (code !== 0) console.error(`${output}\nerror: ${[name, ...args].join(" ")} failed`);
    worst = Math.max(worst, code);
  }
  return worst;
}
