// `npm test`: installs what is missing, then types, lint and every kind of test.
// `npm run test:full` is the same with the stated counts of kills and cases (AO_TEST_FULL=1).
import { installAgents } from "./agent-programs.mjs";
import { bin, build, ensurePackages, ensurePrograms, run } from "./lib.mjs";

const full = process.argv.includes("--full");
ensurePackages();
ensurePrograms({ tmux: ["tmux", ["-V"]], bubblewrap: ["bwrap", ["--version"]] });
// The first hour of a newcomer is tried with a real agent. Without it (no registry) those tests are skipped by name.
if (installAgents(["claude-code"]).length > 0) console.log("note: tests with the real Claude Code are skipped");
run(bin("tsc"), ["--noEmit"]);
run(bin("biome"), ["ci", "."]);
build();
// Real processes on a busy machine may be starved past a limit once; what fails twice in a row is broken. The full counts are
// for finding rare failures, so there nothing is tried again.
run(bin("vitest"), ["run", ...(full ? [] : ["--retry=1"])], {
  env: { ...process.env, ...(full ? { AO_TEST_FULL: "1" } : {}) },
});
run(bin("knip"), []);
