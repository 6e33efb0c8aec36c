import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isBranchName } from "../../src/core/branch-name.ts";
import type { MergeRequest } from "../../src/ports/scm.ts";
import type { CreateWorkspace, WorkspaceRef } from "../../src/ports/workspace.ts";
import { isFull } from "../../src/testing/full.ts";
import { git } from "../../src/testing/git-repo.ts";
import { type GitScene, openGitScene, readUsers } from "./git-scene.ts";

/** Names and refs that a program would read as options, or that lead elsewhere. */
const HOSTILE = [
  ...["-m", "-d", "-D", "-f", "--force", "--detach", "--orphan", "--output=EVIDENCE", "--ext-diff", "-OEVIDENCE"],
  ...["--upload-pack=touch EVIDENCE", "--exec=touch EVIDENCE", "--git-dir=EVIDENCE", "-c", "--config-env=x=y"],
  ...["$(touch EVIDENCE)", "`touch EVIDENCE`", "; touch EVIDENCE", "| touch EVIDENCE", "a\ntouch EVIDENCE", "a\0b"],
  ...[
    "../../../x",
    "/etc/passwd",
    "a..b",
    "x.lock",
    ".hidden",
    "a//b",
    "a@{1}",
    "@",
    "HEAD",
    "a^b",
    "a~1",
    "a:b",
    "a?b",
  ],
  ...["a*", "[a]", "a\\b", "a b", "\u001b[2J", "\u202ea", "\u200ba", "ends/", "ends.", ""],
];

describe("is not a valid branch name:", () => {
  it.each(HOSTILE.map((name) => [JSON.stringify(name), name]))("%s", (_, name) => {
    expect(isBranchName(name)).toBe(false);
  });
});

/** Words that git would read as options, one for each way to write or run something. */
const OPTIONS = ["-m", "--force", "--output=EVIDENCE", "--upload-pack=touch EVIDENCE", "--exec=touch EVIDENCE", "a\nb"];

type Try = (scene: GitScene, word: string) => Promise<unknown>;

/** Every function that gets a foreign name, ref or path. */
const CALLS: Readonly<Record<string, Try>> = {
  "the branch of a new workspace": ({ workspace, ref }, branch) => workspace.create({ ...another(ref), branch }),
  "the base of a new workspace": ({ workspace, ref }, base) => workspace.create({ ...another(ref), base }),
  "the commit that a workspace is compared with": ({ workspace, ref }, commit) => workspace.diff(ref, commit),
  "the branch of a pull request": ({ scm, ref }, branch) => scm.readBranch(ref.project, branch, "main"),
  "the base of a pull request": ({ scm, ref }, base) => scm.readSubjects(ref.project, ref.branch, base),
  "the commit of a diff": ({ scm, ref }, commit) => scm.diff(ref.project, commit, "main"),
  "the base of a diff": ({ scm, ref, base }, word) => scm.diff(ref.project, base, word),
  "the commit of a try to merge": ({ scm, ref, base }, commit) =>
    scm.tryMerge(ref.project, { head: commit, baseHead: base }),
  "the commit of a size": ({ scm, ref, base }, head) => scm.countChanges(ref.project, { head, base }),
  "the commit of a file": ({ scm, ref }, commit) => scm.countLines(ref.project, commit, "a.txt"),
  "the path of a file": ({ scm, ref, base }, path) => scm.countLines(ref.project, base, path),
  "the branch that is merged": ({ scm, ref, base }, branch) => scm.merge({ ...mergeOf(ref, base), branch }),
  "the commit that is merged": ({ scm, ref }, head) => scm.merge(mergeOf(ref, head)),
  "the branch that is deleted": ({ scm, ref, base }, branch) => scm.deleteBranch(ref.project, branch, base),
};

function another({ project }: WorkspaceRef): CreateWorkspace {
  const names = { sessionId: "two", name: "two", branch: "agent/two", intentId: "i" };
  return { project, ...names, generation: 1, restore: false, attempt: 1 };
}

function mergeOf({ project, branch }: WorkspaceRef, head: string): MergeRequest {
  return { project, number: 1, branch, base: "main", head, strategy: "squash", title: "T", body: "" };
}

describe("is not taken as a git option:", () => {
  const rows = Object.entries(CALLS).filter((_, at) => isFull || at % 5 === 0);
  it.each(rows)("%s", async (_, call) => {
    const scene = await openGitScene("worktree");
    const evidence = join(scene.outside, "evidence");
    const before = [readUsers(scene), git(scene.repo, "symbolic-ref", "HEAD")];
    for (const word of OPTIONS) await call(scene, word.replace("EVIDENCE", evidence)).catch(() => undefined);
    expect(existsSync(evidence)).toBe(false);
    expect([readUsers(scene), git(scene.repo, "symbolic-ref", "HEAD")]).toEqual(before);
  });
});
