import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { WorkspaceRef } from "../../../ports/workspace.ts";
import { isFull } from "../../../testing/full.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

const BRANCHES = isFull ? 20 : 6;
const LINES = Array.from({ length: 40 }, (_, n) => `line ${n}`);
const FILES = {
  ...Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`src/file-${n}.txt`, `${LINES.join("\n")}\n`])),
  "src/gone.txt": "to be deleted\n",
};

function openFixture(): WorkspaceFixture & { readonly home: string } {
  const home = tempDir();
  const context = { home, projectPath: "" };
  const fixture = openWorkspaceFixture((host) => worktree.create(worktree.config.parse({}), host, context), FILES);
  return { ...fixture, home };
}

/** Every kind of change, so that some pairs of branches conflict and others do not. */
function change(path: string, n: number): void {
  const lines = LINES.map((line, at) => (at === (Math.floor(n / 2) * 7) % 40 ? `${line} by ${n}` : line));
  writeFiles(path, { [`src/file-${n % 6}.txt`]: `${lines.join("\n")}\n` });
  if (n % 3 === 0) git(path, "commit", "-q", "-a", "-m", `change ${n}`);
  writeFiles(path, { [`src/file-${(n + 1) % 6}.txt`]: `${lines.slice(n % 5).join("\n")}\n` });
  if (n % 4 === 0) git(path, "rm", "-q", "src/gone.txt");
  if (n % 4 === 1) writeFiles(path, { "src/gone.txt": `kept by ${n}\n` });
  if (n % 5 === 2) git(path, "mv", "src/file-5.txt", `src/moved-${n % 2}.txt`);
  writeFiles(path, { [`new/${n % 4}.txt`]: `${n % 2}\n` });
}

/** The conflicts of a real merge of two branches. */
function mergeForReal(checkout: string, ours: string, theirs: string): readonly string[] {
  git(checkout, "checkout", "-q", "--detach", ours);
  try {
    git(checkout, "merge", "-q", "--no-edit", theirs);
    return [];
  } catch {
    const files = git(checkout, "diff", "--name-only", "--diff-filter=U").trim().split("\n");
    git(checkout, "merge", "--abort");
    return [...new Set(files)].sort();
  }
}

/** Every file and ref of a repository. */
function inventory(folder: string): readonly string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? inventory(path) : [path];
  });
}

test("answers every pair like a real merge, and leaves nothing in the repository", async () => {
  const fixture = openFixture();
  const { workspace, repo, request, refOf } = fixture;
  const trials = workspace.trials!;
  const refs: WorkspaceRef[] = [];
  for (let n = 0; n < BRANCHES; n += 1) {
    const info = await workspace.create(request(`s${n}`));
    change(info.path, n);
    refs.push(refOf(info, request(`s${n}`)));
  }
  const before = inventory(join(repo, ".git"));
  const captured = await Promise.all(refs.map((ref) => trials.capture(ref)));
  const pairs = captured.flatMap((ours, n) =>
    captured.slice(n + 1).map((theirs) => ({ ours: ours ?? "", theirs: theirs ?? "" })),
  );
  const answers = await trials.merge(refs[0]!.project, pairs);
  expect(inventory(join(repo, ".git"))).toEqual(before);

  for (const { path } of refs) {
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "everything", "--allow-empty");
  }
  const checkout = join(tempDir(), "real");
  git(repo, "worktree", "add", "-q", "--detach", checkout);
  const real = refs.flatMap((ours, n) =>
    refs.slice(n + 1).map((theirs) => mergeForReal(checkout, ours.branch, theirs.branch)),
  );
  expect(answers.map((answer) => (answer.kind === "conflict" ? answer.files : []))).toEqual(real);
  expect(new Set(real.map((files) => files.length > 0))).toEqual(new Set([true, false]));

  await trials.forget(refs[0]!.project);
  expect(inventory(join(fixture.home, "trials"))).toEqual([]);
});

test("omits large untracked files and nested repositories from the comparison", async () => {
  const { workspace, request, refOf } = openFixture();
  const info = await workspace.create(request("one"));
  const ref = refOf(info, request("one"));
  const clean = await workspace.trials!.capture(ref);
  writeFileSync(join(info.path, "large.bin"), Buffer.alloc(1024 * 1024 + 1));
  writeFiles(info.path, { "inner/file.txt": "1\n" });
  git(join(info.path, "inner"), "init", "-q");
  expect(await workspace.trials!.capture(ref)).toBe(clean);
});
