import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../../ports/host.ts";
import type { Workspace } from "../../../ports/workspace.ts";
import { diesAfterEach } from "../../../testing/dying-host.ts";
import { isFull } from "../../../testing/full.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { inSandbox } from "../../../testing/own-repository.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

// Every effect in the full run; otherwise some of the many.
const COARSE = isFull ? 1 : 7;

function maker(): (host: Host) => Workspace {
  const home = tempDir();
  return (host) => inSandbox(worktree.create(worktree.config.parse({}), host, { home, projectPath: "" }));
}

function commit(path: string, name: string): string {
  writeFiles(path, { [name]: name });
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", name);
  return git(path, "rev-parse", "HEAD").trim();
}

test("a take-over that dies after any of its effects is repeated by the next, and leaves nothing behind", async () => {
  const make = maker();
  const { workspace, repo, request, refOf } = openWorkspaceFixture(make);
  const tried = await diesAfterEach(isFull ? 1 : 2, async (dying, session) => {
    const info = await workspace.create(request(session));
    const ref = refOf(info, request(session));
    const head = commit(info.path, "work");
    await make(dying.host)
      .publish?.(ref)
      .catch(() => null);
    // Whatever state it left, the repository is whole.
    expect(git(repo, "fsck", "--full", "--no-dangling", "--no-progress")).toBe("");
    git(repo, "log", "--all", "--oneline");
    expect(await workspace.publish?.(ref)).toEqual({ head });
    expect(git(repo, "rev-parse", `agent/${session}`).trim()).toBe(head);
    const second = commit(info.path, "more");
    expect(await workspace.publish?.(ref)).toEqual({ head: second });
    expect(readdirSync(join(repo, ".git/objects/pack")).filter((name) => name.endsWith(".keep"))).toEqual([]);
    expect(readdirSync(join(repo, ".git/ao-incoming"))).toEqual([]);
  });
  expect(tried).toBeGreaterThan(5);
});

test("a create and a remove that die after any of their effects are completed by the next", async () => {
  const make = maker();
  const { workspace, repo, request, refOf } = openWorkspaceFixture(make);
  const tried = await diesAfterEach(COARSE, async (dying, session) => {
    const asked = request(session);
    await make(dying.host)
      .create(asked)
      .catch(() => null);
    const info = await workspace.create({ ...asked, attempt: 2 });
    expect(git(info.path, "status", "--porcelain")).toBe("");
    const head = commit(info.path, "work");
    writeFiles(info.path, { "new file.txt": "not committed" });
    await make(dying.host)
      .remove(refOf(info, asked))
      .catch(() => null);
    const preservedRef = `refs/ao/preserved/${session}/1`;
    expect(await workspace.remove(refOf(info, asked))).toEqual({ kind: "removed", preservedRef, head });
    expect(git(repo, "show", `${preservedRef}:new file.txt`)).toBe("not committed");
    expect(git(repo, "for-each-ref", "refs/ao/borrowed", `refs/ao/preserved/${session}/2`)).toBe("");
    expect(readdirSync(join(repo, ".worktrees"))).toEqual([]);
  });
  expect(tried).toBeGreaterThan(5);
});
