import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import type { Host } from "../ports/host.ts";
import type { MergeRequest, Scm } from "../ports/scm.ts";
import type { ScmScene } from "./contracts/scm-scene.ts";
import { git, makeRepo, writeFiles } from "./git-repo.ts";
import { tempDir } from "./temp.ts";

/** A scene on a real repository. */
export interface ScmFixture extends ScmScene {
  readonly host: Host;
  readonly repo: string;
  readonly home: string;
  /** Where commits are made: a linked worktree with a detached HEAD. */
  readonly side: string;
  /** Commits these files to `agent/<number>` and requests its merge into main. */
  request(files: Readonly<Record<string, string | null>>, changes?: Partial<MergeRequest>): Promise<MergeRequest>;
}

interface FixtureOptions {
  readonly files?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** A forge on a fresh repository, whose main checkout has main checked out. */
export function openScmFixture(create: (host: Host, home: string) => Scm, options: FixtureOptions = {}): ScmFixture {
  const root = tempDir("ao-scm-");
  const repo = makeRepo(join(root, options.folder ?? "repo"), options.files);
  const home = join(root, "home");
  const host = createNodeHost({ log: createSilentLog() });
  // Commits are made outside the main checkout, as agents make them.
  const side = join(root, "side");
  git(repo, "worktree", "add", "-q", "--detach", side);
  const project = { id: "p", path: repo, defaultBranch: "main" };
  const fixture: ScmFixture = {
    scm: create(host, home),
    project,
    fs: host.fs,
    host,
    repo,
    home,
    side,
    request: async (files, changes = {}) => {
      const branch = `agent/${changes.number ?? 1}`;
      const head = await fixture.commit(branch, files);
      const wanted = { number: 1, base: "main", strategy: "squash", title: "Title", body: "" } as const;
      return { project, branch, head, ...wanted, ...changes };
    },
    commit: async (branch, files, { message = `change ${branch}`, from = "main" } = {}) => {
      // Reads files instead of starting processes: the forge contract makes hundreds of commits.
      const here = readFileSync(join(repo, ".git/HEAD"), "utf8") === `ref: refs/heads/${branch}\n`;
      const folder = here ? repo : side;
      if (!here) git(side, "checkout", "-q", "--detach", findHead(repo, branch) ?? from);
      for (const [name, text] of Object.entries(files)) {
        if (text === null) rmSync(join(folder, name));
        else writeFiles(folder, { [name]: text });
      }
      git(folder, "add", "-A", "-f", "--", ...Object.keys(files));
      git(folder, "commit", "-q", "--allow-empty", "-m", message);
      if (here) return readFileSync(join(repo, ".git/refs/heads", branch), "utf8").trim();
      const head = readFileSync(join(repo, ".git/worktrees/side/HEAD"), "utf8").trim();
      git(repo, "update-ref", `refs/heads/${branch}`, head);
      return head;
    },
    read: async (branch, path) => tryGit(repo, "show", `refs/heads/${branch}:${path}`, "--"),
    collectGarbage: () => {
      for (const name of ["--expire=now", "--expire-unreachable=now"]) git(repo, "reflog", "expire", name, "--all");
      git(repo, "gc", "-q", "--prune=now");
    },
    history: async (branch) => git(repo, "log", "--format=%s", `refs/heads/${branch}`, "--").trim().split("\n"),
  };
  return fixture;
}

/** The commit of a branch; null: no such branch. Only packed refs need a process. */
function findHead(repo: string, branch: string): string | null {
  const ref = join(repo, ".git/refs/heads", branch);
  if (existsSync(ref)) return readFileSync(ref, "utf8").trim();
  if (!existsSync(join(repo, ".git/packed-refs"))) return null;
  return tryGit(repo, "rev-parse", "-q", "--verify", `refs/heads/${branch}`);
}

function tryGit(cwd: string, ...args: string[]): string | null {
  try {
    const text = git(cwd, ...args);
    return args[0] === "show" ? text : text.trim();
  } catch {
    return null;
  }
}
