import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

// No background maintenance and no user configuration, so that a test sees only what it did itself.
const ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** Runs git in a folder and gives its output. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", ["-c", "gc.auto=0", "-c", "maintenance.auto=false", ...args], {
    cwd,
    env: { ...process.env, ...ENV },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Writes files below a folder. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** A repository on branch main with one commit. */
export function makeRepo(
  path: string,
  files: Readonly<Record<string, string>> = { "README.md": "# sample\n" },
): string {
  mkdirSync(path, { recursive: true });
  git(path, "init", "-q", "-b", "main");
  // Written by hand: three processes less for each of the many repositories of a test run.
  appendFileSync(join(path, ".git/config"), "[gc]\n\tauto = 0\n[user]\n\tname = Test\n\temail = test@example.com\n");
  writeFiles(path, files);
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "first");
  return path;
}
