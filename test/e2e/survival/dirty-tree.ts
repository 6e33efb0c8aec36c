import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { git, writeFiles } from "../../../src/testing/git-repo.ts";

/** What the repository holds before anybody works in it. */
export const COMMITTED = {
  "README.md": "# sample\n",
  "changed.txt": "as committed\n",
  "staged.txt": "as committed\n",
  "both.txt": "as committed\n",
  "removed.txt": "goes\n",
  "unstaged-removal.txt": "goes too\n",
  "old name.txt": "moves and keeps its content, which is long enough to be recognized\n",
  "run.sh": "#!/bin/sh\n",
};

/** Leaves every kind of uncommitted work in a worktree. */
export function makeDirty(folder: string): void {
  writeFiles(folder, { "staged.txt": "staged\n", "both.txt": "staged first\n", "new staged.txt": "new\r\n" });
  git(folder, "mv", "old name.txt", "näw name.txt");
  git(folder, "rm", "-q", "removed.txt");
  git(folder, "add", "staged.txt", "both.txt", "new staged.txt");
  writeFiles(folder, {
    "both.txt": "changed after that\n",
    "changed.txt": "no newline at the end",
    "later.txt": "only intended\n",
    "deep/er/un tracked é.txt": "mine\n",
    "deep/empty": "",
    "-dash": "looks like an option\n",
  });
  git(folder, "add", "--intent-to-add", "later.txt");
  rmSync(join(folder, "unstaged-removal.txt"));
  chmodSync(join(folder, "run.sh"), 0o755);
  symlinkSync("deep/er", join(folder, "link"));
  writeFileSync(join(folder, "deep/binary"), Buffer.from([...Array(256).keys()]));
}

/** Everything that git and the file system say about a worktree; two pictures are equal if nothing was lost or changed. */
export function photograph(folder: string): {
  readonly files: readonly string[];
  readonly status: string;
  readonly staged: string;
  readonly index: string;
  readonly head: string;
} {
  return {
    files: list(folder, ""),
    status: git(folder, "status", "--porcelain", "--untracked-files=all"),
    staged: git(folder, "diff", "--cached", "--binary"),
    index: git(folder, "ls-files", "--stage"),
    head: git(folder, "rev-parse", "HEAD"),
  };
}

function list(root: string, below: string): readonly string[] {
  return readdirSync(join(root, below))
    .filter((name) => join(below, name) !== ".git")
    .sort()
    .flatMap((name) => {
      const path = join(below, name);
      const stat = lstatSync(join(root, path));
      if (stat.isDirectory()) return list(root, path);
      const content = stat.isSymbolicLink() ? `-> ${readlinkSync(join(root, path))}` : hash(join(root, path));
      const mode = stat.isSymbolicLink() ? "link" : (stat.mode & 0o111) === 0 ? "file" : "program";
      return [`${path} ${mode} ${content}`];
    });
}

function hash(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
