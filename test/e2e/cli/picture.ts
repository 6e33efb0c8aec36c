import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { expect } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import type { Shell, Typed } from "./shell.ts";

/** What a refused command must not change. */
export interface Picture {
  readonly home: readonly string[];
  readonly position: string | null;
  readonly repositories: readonly Readonly<Record<string, string>>[];
}

/** Files that come and go: logs, compiled code, the write-ahead log, the daemon's own marks. */
const RESTLESS =
  /^(logs\/|cache\/|ao\.db|\.writ|start-error\.json$|daemon\.(json|lock)|ao\.sock$|sessions\/[^/]+\/runs\/)/;

/** Takes a picture of AO_HOME, of the log and of repositories; with a shell it asks the running daemon for the log's end. */
export async function takePicture(
  aoHome: string,
  repositories: readonly string[],
  shell: Shell | null,
): Promise<Picture> {
  const events = shell === null ? null : await shell.ok("events", "--json");
  return {
    home: existsSync(aoHome) ? listFiles(aoHome).filter((name) => !RESTLESS.test(name)) : [],
    position: events === null ? null : (events.trimEnd().split("\n").at(-1) ?? ""),
    repositories: repositories.map(describeRepository),
  };
}

function describeRepository(path: string): Record<string, string> {
  const config = join(path, "agent-orchestrator.yaml");
  const own = {
    config: existsSync(config) ? readFileSync(config, "utf8") : "none",
    files: readdirSync(path).sort().join(" "),
  };
  if (!existsSync(join(path, ".git"))) return own;
  return {
    ...own,
    refs: git(path, "for-each-ref"),
    head: readFileSync(join(path, ".git/HEAD"), "utf8"),
    worktrees: git(path, "worktree", "list", "--porcelain"),
    status: git(path, "status", "--porcelain", "--untracked-files=all"),
    exclude: existsSync(join(path, ".git/info/exclude")) ? readFileSync(join(path, ".git/info/exclude"), "utf8") : "",
    settings: readFileSync(join(path, ".git/config"), "utf8"),
  };
}

function listFiles(folder: string, top = folder): readonly string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat?.isDirectory() === true ? listFiles(path, top) : [relative(top, path)];
    });
}

/** A proper error: one sentence, one hint, no internals. */
export function expectRefusal(what: string, typed: Typed, sentence: RegExp, code = 1): void {
  expect.soft(typed.code, `${what}: exit code, ${typed.err}`).toBe(code);
  expect.soft(typed.err, what).toMatch(/^error: .+\nhint: .+\n$/);
  expect.soft(typed.err, what).toMatch(sentence);
  expect.soft(typed.err, what).not.toMatch(/\n\s+at |node:internal|\[object|undefined|null\b|This is a bug/);
}
