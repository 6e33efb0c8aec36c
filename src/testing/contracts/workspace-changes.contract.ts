import { expect } from "vitest";
import type { Workspace } from "../../ports/workspace.ts";
import { git, writeFiles } from "../git-repo.ts";
import type { Fact } from "../workspace-fixture.ts";

/** Uncommitted work: reported, and committed when a person asks for it. */
export function describeChanges(fact: Fact): void {
  fact("counts uncommitted changes, and commits them on their branch", async ({ workspace, request, refOf }) => {
    const info = await workspace.create(request("one"));
    const ref = refOf(info, request("one"));
    const who = {
      GIT_AUTHOR_NAME: "Ann",
      GIT_AUTHOR_EMAIL: "a@x",
      GIT_COMMITTER_NAME: "Ann",
      GIT_COMMITTER_EMAIL: "a@x",
    };
    const message = "# Say why\n\nBecause: «ünïcödé»";
    expect(await workspace.readChanges(ref)).toBeNull();
    expect(await workspace.commit(ref, { message, env: who })).toEqual({ kind: "nothing" });
    writeFiles(info.path, {
      ".gitignore": "*.log\n",
      "x.log": "ignored",
      "new file.txt": "1",
      "README.md": "changed\n",
    });
    const first = await workspace.readChanges(ref);
    expect(first).toMatchObject({ count: 3, names: [".gitignore", "README.md", "new file.txt"] });
    expect((await workspace.readChanges(ref))?.tree).toBe(first?.tree);
    writeFiles(info.path, { "new file.txt": "12" });
    expect((await workspace.readChanges(ref))?.tree).not.toBe(first?.tree);
    const head = expect.stringMatching(/^[0-9a-f]{40}$/);
    expect(await workspace.commit(ref, { message, env: who })).toEqual({ kind: "committed", head, files: 3 });
    expect(git(info.path, "log", "-1", "--format=%an%n%B").trimEnd()).toBe(`Ann\n${message}`);
    expect(git(info.path, "symbolic-ref", "--short", "HEAD").trim()).toBe("agent/one");
    expect(await workspace.readChanges(ref)).toBeNull();
  });
  fact("commits nothing during a conflict or on another branch", async ({ workspace, request, refOf }) => {
    const info = await workspace.create(request("one"));
    const ref = refOf(info, request("one"));
    const commit = (): ReturnType<Workspace["commit"]> => workspace.commit(ref, { message: "x", env: {} });
    git(info.path, "checkout", "-q", "-b", "other");
    writeFiles(info.path, { "README.md": "theirs\n" });
    expect(await commit()).toMatchObject({ kind: "refused", reason: expect.stringContaining("branch other") });
    git(info.path, "commit", "-qam", "theirs");
    git(info.path, "checkout", "-q", "agent/one");
    writeFiles(info.path, { "README.md": "ours\n" });
    git(info.path, "commit", "-qam", "ours");
    expect(() => git(info.path, "merge", "-q", "other")).toThrow();
    expect(await commit()).toEqual({ kind: "refused", reason: "README.md has unresolved conflicts" });
  });
}
