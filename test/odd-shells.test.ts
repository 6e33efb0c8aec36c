import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { isFull } from "../src/testing/full.ts";
import { tempDir } from "../src/testing/temp.ts";
import { run } from "./e2e/cli/shell.ts";
import { combine, inShell, makeOddShells, type OddShell, underUmask } from "./support/odd-shells.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Tests that once depended on the shell, or would first. */
const SENSITIVE = [
  "src/cli/views/qr-code.test.ts",
  "src/cli/board/render",
  "src/cli/main.test.ts",
  "src/app/git-identity.test.ts",
  "src/platform/exec.test.ts",
  "src/providers/git/git.test.ts",
  "web/src/pages/settings/describe-dry-run.test.ts",
];
/** Also in the full run, where everything is unusual at once. */
const MORE = [
  "src/providers/git",
  "src/providers/tmux",
  "src/plugins/workspace/clone/clone.test.ts",
  "src/server/event-text",
  "web/src",
];

/** Runs some of these tests in a shell as a contributor would; throws what they print unless all pass. */
async function runTests(shell: OddShell, files: readonly string[]): Promise<void> {
  const kept = ["PATH", "TMPDIR", "AO_DISK_TMPDIR", "HOME"].map((name) => [name, process.env[name]]);
  const usual = Object.fromEntries(kept.filter(([, value]) => value !== undefined)) as Record<string, string>;
  // A session of `ao` in which somebody works on `ao`.
  const inside = { AO_HOME: "/nowhere", AO_SESSION: "demo-1", AO_TOKEN: "none", AO_PORT: "1", GITHUB_TOKEN: "none" };
  const [program, ...args] = underUmask(shell, process.execPath);
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--exclude", "**/*.long.test.ts", ...files];
  const { code, out, err } = await run(program, [...args, ...vitest], {
    cwd: root,
    env: inShell(shell, { ...usual, ...inside }),
  });
  expect(code, `${out}${err}`).toBe(0);
}

it("the tests pass in a shell where everything is unusual", async () => {
  const shell = combine([...makeOddShells(tempDir()).values(), { env: {}, umask: "077" }]);
  await runTests(shell, isFull ? [...SENSITIVE, ...MORE] : SENSITIVE);
});

it.skipIf(!isFull)("the tests pass in each unusual shell", async () => {
  for (const shell of makeOddShells(tempDir()).values()) await runTests(shell, SENSITIVE);
});
