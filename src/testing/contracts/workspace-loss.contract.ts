import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Host } from "../../ports/host.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { isFull } from "../full.ts";
import { git } from "../git-repo.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";

const FILES = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "dir/c.txt": "c\n",
  "run.sh": "#!/bin/sh\n",
  ".gitignore": "ignored/\n*.log\n",
  ".gitattributes": "*.win text eol=crlf\n",
};

const PATHS = [
  "a.txt",
  "b.txt",
  "dir/c.txt",
  "dir/deep/d e.txt",
  "ü'\"\n.txt",
  "new.bin",
  "ignored/x",
  "y.log",
  "crlf.win",
];

interface Step {
  readonly path: string;
  readonly to: string;
  readonly content: string | Uint8Array;
}

function put(file: string, write: (file: string) => void): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  write(file);
}

const ACTIONS = {
  write: (root: string, { path, content }: Step) => put(join(root, path), (file) => writeFileSync(file, content)),
  stage: (root: string, { path }: Step) => git(root, "add", "--", path),
  "force-stage": (root: string, { path }: Step) => git(root, "add", "-f", "--", path),
  unstage: (root: string, { path }: Step) => git(root, "reset", "-q", "--", path),
  delete: (root: string, { path }: Step) => rmSync(join(root, path), { recursive: true }),
  untrack: (root: string, { path }: Step) => git(root, "rm", "-q", "--cached", "--", path),
  chmod: (root: string, { path }: Step) => chmodSync(join(root, path), 0o755),
  touch: (root: string, { path }: Step) => utimesSync(join(root, path), 1, 1),
  "intent-to-add": (root: string, { path }: Step) => git(root, "add", "-N", "-f", "--", path),
  "assume-unchanged": (root: string, { path }: Step) => git(root, "update-index", "--assume-unchanged", "--", path),
  "skip-worktree": (root: string, { path }: Step) => git(root, "update-index", "--skip-worktree", "--", path),
  rename: (root: string, { path, to }: Step) => put(join(root, to), (file) => renameSync(join(root, path), file)),
  symlink: (root: string, { path, to }: Step) => put(join(root, path), (file) => symlinkSync(to, file)),
  "delete-folder": (root: string, { path }: Step) => {
    if (dirname(path) !== ".") rmSync(join(root, dirname(path)), { recursive: true });
  },
  "link-folder": (root: string, { path, to }: Step) => {
    if (dirname(path) !== ".") put(join(root, dirname(path)), (file) => symlinkSync(to, file));
  },
  "stage-all": (root: string) => git(root, "add", "-A"),
  commit: (root: string) => git(root, "commit", "-q", "--allow-empty", "-m", "step"),
  detach: (root: string) => git(root, "checkout", "-q", "--detach"),
  "go-back": (root: string) => git(root, "checkout", "-q", "--detach", "HEAD~1"),
  stash: (root: string) => git(root, "stash", "push", "-q", "--include-untracked"),
  "other-branch": (root: string) =>
    git(root, "checkout", "-q", "-b", `other-${git(root, "rev-parse", "--short", "HEAD").trim()}`),
} satisfies Readonly<Record<string, (root: string, step: Step) => unknown>>;

const kinds = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];
const operation = fc.record({
  kind: fc.oneof(
    { weight: 1, arbitrary: fc.constant("write" as const) },
    { weight: 3, arbitrary: fc.constantFrom(...kinds) },
  ),
  path: fc.constantFrom(...PATHS),
  to: fc.constantFrom(...PATHS),
  content: fc.oneof(
    fc.constantFrom("", "one\n", "two\r\n", "three\nfour\r\n", "$Id$\n"),
    fc.uint8Array({ maxLength: 64 }),
  ),
});
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

function act(root: string, steps: readonly Operation[]): void {
  for (const step of steps) {
    try {
      ACTIONS[step.kind](root, step);
    } catch {
      // Not every step is possible in every state; the next ones still are.
    }
  }
}

interface Picture {
  readonly files: ReadonlyMap<string, string>;
  readonly index: string;
  readonly status: string;
  readonly head: string;
  readonly stash: string;
}

/** Everything that must come back; index flags are cleared first, because they only hide changes. */
function takePicture(root: string): Picture {
  const index = join(git(root, "rev-parse", "--absolute-git-dir").trim(), "picture-index");
  cpSync(join(dirname(index), "index"), index, { preserveTimestamps: true });
  const shown = (...args: string[]): string => withIndex(index, () => git(root, ...args));
  for (const line of shown("ls-files", "-v", "-z").split("\0")) {
    const name = line.slice(2);
    // In a sparse checkout an absent file is normal; but if something replaced its folder, the file is deleted.
    const sparse = look(root, name) === undefined && !isBlocked(root, dirname(name));
    if (line[0]?.toUpperCase() === "S" && sparse) continue;
    if (line === "" || line[0] === "H") continue;
    for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"]) shown("update-index", flag, "--", name);
  }
  const names = shown("ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0");
  const status = shown("status", "--porcelain", "-z", "-uall", "--no-renames");
  const changed = new Set(status.split("\0").map((line) => line.slice(3)));
  const files = new Map(names.flatMap((name) => describeFile(root, name, !changed.has(name))));
  const staged = shown("ls-files", "--stage", "-z");
  const stash = git(root, "stash", "list", "--format=%H");
  rmSync(index);
  return { files, index: staged, status, head: git(root, "rev-parse", "HEAD"), stash };
}

function withIndex<T>(index: string, run: () => T): T {
  process.env["GIT_INDEX_FILE"] = index;
  try {
    return run();
  } finally {
    delete process.env["GIT_INDEX_FILE"];
  }
}

/** A file as git sees it: what is behind a link in place of its folder is not that file. */
function look(root: string, name: string): Stats | undefined {
  try {
    const parent = dirname(join(root, name));
    return realpathSync(parent) === parent ? lstatSync(join(root, name)) : undefined;
  } catch {
    return undefined;
  }
}

function isBlocked(root: string, folder: string): boolean {
  if (folder === ".") return false;
  if (isBlocked(root, dirname(folder))) return true;
  const stat = lstatSync(join(root, folder), { throwIfNoEntry: false });
  return stat !== undefined && !stat.isDirectory();
}

// Committed files come back as git checks them out, with the line endings from .gitattributes.
function describeFile(root: string, name: string, committed: boolean): [string, string][] {
  const stat = name === "" ? undefined : look(root, name);
  if (stat === undefined || stat.isDirectory()) return [];
  const text = stat.isSymbolicLink() ? readlinkSync(join(root, name)) : readFileSync(join(root, name), "latin1");
  const compared = committed && name.endsWith(".win") ? text.replaceAll("\r\n", "\n") : text;
  return [[name, `${stat.isSymbolicLink() ? "link" : stat.mode & 0o100}:${compared}`]];
}

export interface WorkspaceLoss {
  readonly name: string;
  readonly create: (host: Host) => Workspace;
  /** How many sequences `npm test` tries, and how many the full run. */
  readonly runs: number;
  readonly fullRuns: number;
}

/** Whatever an agent does in a workspace, removing and restoring it brings everything back, or the folder stays. */
export function describeWorkspaceLoss({ name, create, runs, fullRuns }: WorkspaceLoss): void {
  test(`${name}: no sequence of an agent's steps loses a file`, async () => {
    const fixture = openWorkspaceFixture(create, FILES);
    const outcomes = { removed: 0, saved: 0, kept: 0 };
    let session = 0;
    const property = fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 14 }), async (steps) => {
      session += 1;
      outcomes[await removeAndRestore(fixture, `s${session}`, steps)] += 1;
    });
    await fc.assert(property, { numRuns: isFull ? fullRuns : runs, seed: 20_26, endOnFailure: false });
    expect(outcomes.saved).toBeGreaterThan(outcomes.kept);
    expect(readdirSync(join(fixture.repo, ".worktrees")).filter((entry) => entry.startsWith(".ao-"))).toEqual([]);
  });
}

async function removeAndRestore(
  fixture: WorkspaceFixture,
  session: string,
  steps: readonly Operation[],
): Promise<"removed" | "saved" | "kept"> {
  const asked = fixture.request(session);
  const info = await fixture.workspace.create(asked);
  act(info.path, steps);
  const before = takePicture(info.path);
  const branches = git(info.path, "for-each-ref", "--format=%(objectname)", "refs/heads").split("\n");
  const outcome = await fixture.workspace.remove(fixture.refOf(info, asked));
  if (outcome.kind === "kept") {
    expect(takePicture(info.path)).toEqual(before);
    return "kept";
  }
  for (const commit of branches) if (commit !== "") git(fixture.repo, "cat-file", "-e", commit);
  const again = await fixture.workspace.create({ ...asked, generation: 2, restore: true });
  const after = takePicture(again.path);
  for (const [name, text] of before.files) expect([name, after.files.get(name)]).toEqual([name, text]);
  // If everything was committed, HEAD returns to the session's branch.
  if (outcome.preservedRef === null) expect(after.stash).toBe(before.stash);
  else expect({ ...after, files: null }).toEqual({ ...before, files: null });
  // Deleting hundreds of whole repositories at the end would exceed the hook's time limit.
  rmSync(again.path, { recursive: true });
  return outcome.preservedRef === null ? "removed" : "saved";
}
