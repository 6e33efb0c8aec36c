import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { retriedTests } from "./test/support/retried-tests.ts";

const full = process.env["AO_TEST_FULL"] === "1";

/** Tests that start programs: git, tmux, shells, agents, the daemon. All others start none (test/support/no-programs.ts). */
const REAL = [
  "test/{agents,attack,browser,chaos,e2e}/**/*.test.ts",
  "src/plugins/{agent,runtime,scm,workspace}/**/*.test.ts",
  "src/plugins/notifier/desktop/*.test.ts",
  "src/providers/{acp,git,tmux}/*.test.ts",
  "src/rehearsal/{git,main,*.long}.test.ts",
  "src/bridge/**/{child,claude,codex,commands.property.long,hook-folder,opencode}.test.ts",
  "src/cli/**/{compiled-code.long,complete,main}.test.ts",
  "src/platform/{clone-tree,exec,fs,http,processes,sqlite-store}.test.ts",
  "src/app/git-identity.test.ts",
  "test/odd-shells.test.ts",
  "src/app/**/preflight.test.ts",
  "src/hook-runner/main.test.ts",
  "src/testing/fakes/memory-fs.test.ts",
  "src/demo/make-sample.test.ts",
  "src/testing/fake-github/*.test.ts",
  "src/testing/fake-gitlab/*.test.ts",
];

export default defineConfig({
  test: {
    environment: "node",
    pool: "forks",
    // One module graph for all files of a worker: tests leave nothing behind in their modules, and loading these again for each file
    // would take a tenth of the time.
    isolate: false,
    // Both projects load the same modules, and most are as they were in the run before.
    experimental: { fsModuleCache: true },
    // The temporary folder may lie in a repository, or below somebody's configuration: neither is a matter of a test.
    env: { GIT_CEILING_DIRECTORIES: `${realpathSync(tmpdir())}:/dev/shm` },
    globalSetup: ["test/support/neutral-shell.ts", "test/support/memory-folder.ts"],
    // The one limit of a test, so generous that a test that reaches it hangs, also on a machine that is busy with other things.
    testTimeout: full ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    // A busy machine may need seconds to start a program; a condition that never comes is still found.
    expect: { poll: { timeout: 60_000 } },
    reporters: ["default", retriedTests],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "pure",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/**/*.test.{ts,tsx}"],
          exclude: REAL,
          setupFiles: ["test/support/no-programs.ts"],
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "real",
          include: REAL,
          retry: process.env["AO_TEST_RETRY"] === "1" ? 1 : 0,
          // These mostly wait for other processes, so three times as many fit on two cores; after the others, which compute.
          maxWorkers: 6,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
