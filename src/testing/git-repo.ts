import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { deflateSync } from "node:zlib";

// No background maintenance and no user configuration, so that a test sees only its own effects.
const ENV = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
};

/** Runs git in a folder and returns its output. */
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

/** Gives a loose object another content under the same name, as git itself never would. */
export function replaceObject(
  repo: string,
  object: string,
  { type, content }: { readonly type: string; readonly content: string },
): void {
  const path = join(repo, ".git/objects", object.slice(0, 2), object.slice(2));
  rmSync(path);
  writeFileSync(path, deflateSync(`${type} ${Buffer.byteLength(content)}\0${content}`));
}

/** A file, or without bytes a folder, in a repository's .git. */
interface GitFile {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer | null;
}

/**
 * Repositories with the same files are copies of the first one: a test run creates hundreds, and each would take three
 * processes.
 */
const made = new Map<string, readonly GitFile[]>();

/** A repository on branch main with one commit. */
export function makeRepo(
  path: string,
  files: Readonly<Record<string, string>> = { "README.md": "# sample\n" },
): string {
  mkdirSync(path, { recursive: true });
  writeFiles(path, files);
  const key = JSON.stringify(files);
  const template = made.get(key);
  if (template === undefined) {
    git(path, "init", "-q", "-b", "main");
    appendFileSync(join(path, ".git/config"), "[gc]\n\tauto = 0\n[user]\n\tname = Test\n\temail = test@example.com\n");
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "first");
    made.set(key, readGitFiles(path));
    return path;
  }
  for (const { path: name, mode, bytes } of template) {
    mkdirSync(join(path, bytes === null ? name : dirname(name)), { recursive: true });
    if (bytes !== null) writeFileSync(join(path, name), bytes, { mode });
  }
  // The index identifies the first one's files by their times.
  git(path, "update-index", "-q", "--refresh");
  return path;
}

function readGitFiles(path: string): readonly GitFile[] {
  return readdirSync(join(path, ".git"), { recursive: true, encoding: "utf8" })
    .filter((name) => !name.endsWith(".sample"))
    .map((name) => {
      const file = join(path, ".git", name);
      const stat = statSync(file);
      return { path: join(".git", name), mode: stat.mode, bytes: stat.isFile() ? readFileSync(file) : null };
    });
}
