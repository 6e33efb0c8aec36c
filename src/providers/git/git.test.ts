import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { clone } from "../../plugins/workspace/clone/clone.ts";
import { worktree } from "../../plugins/workspace/worktree/worktree.ts";
import type { Host } from "../../ports/host.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { git, makeRepo, writeFiles } from "../../testing/git-repo.ts";
import { tempDir } from "../../testing/temp.ts";
import { openWorkspaceFixture } from "../../testing/workspace-fixture.ts";
import { createGit } from "./git.ts";
import { trustPrograms } from "./programs.ts";

// Attacks through files in git's folders are in test/attack, for every call of the product.
describe("the daemon's git", () => {
  it.each(["logs/refs/heads/topic", "refs/heads/deep"])("moves no ref through a link at %s", async (name) => {
    const repo = makeRepo(join(tempDir(), "repo"));
    const own = join(tempDir(), "bashrc");
    writeFileSync(own, "mine\n");
    symlinkSync(name.startsWith("logs") ? own : tempDir(), join(repo, ".git", name));
    const host = createNodeHost({ log: createSilentLog() });
    const ref = name.startsWith("logs") ? "refs/heads/topic" : "refs/heads/deep/topic";
    const moved = createGit(host)({ cwd: repo, args: ["update-ref", ref, "HEAD"] });
    await expect(moved).rejects.toThrow("is a symbolic link");
    expect(readFileSync(own, "utf8")).toBe("mine\n");
  });

  it("prints nothing but its answer", async () => {
    const repo = makeRepo(join(tempDir(), "repo"));
    const git = createGit(createNodeHost({ log: createSilentLog() }));
    expect(await git({ cwd: repo, args: ["log", "--format=%s"] })).toMatchObject({ stdout: "first\n", stderr: "" });
  });

  it.each([
    ["status", 3],
    ["commit", 1],
  ])("is started again if a file was shortened while it read, but not to write: %s", async (command, starts) => {
    const repo = makeRepo(join(tempDir(), "repo"));
    const host = createNodeHost({ log: createSilentLog() });
    let started = 0;
    const exec: Host["exec"] = (request) => {
      started += 1;
      return started === 3
        ? host.exec(request)
        : host.exec({ ...request, program: "sh", args: ["-c", "kill -BUS $$"] });
    };
    const answer = createGit({ ...host, exec })({ cwd: repo, args: [command, "--short"] });
    if (starts === 1) await expect(answer).rejects.toThrow("SIGBUS");
    else expect(await answer).toMatchObject({ stdout: "" });
    expect(started).toBe(starts);
  });

  it.each([
    ["a worktree", worktree],
    ["a clone", clone],
  ])("runs the project's own filter in %s, without the daemon's secrets", async (_, plugin) => {
    const home = tempDir();
    const fixture = openWorkspaceFixture(
      (host): Workspace => plugin.create(plugin.config.parse({}), host, { home, projectPath: "" }),
      { "a.txt": "a\n" },
    );
    const request = fixture.request("one");
    const info = await fixture.workspace.create(request);
    writeFiles(info.path, { ".gitattributes": "* filter=x\n", "a.txt": "changed\n" });
    const evidence = join(tempDir(), "evidence");
    git(fixture.repo, "config", "filter.x.clean", `sh -c 'env > ${evidence}; cat'`);
    await trustPrograms(createNodeHost({ log: createSilentLog() }), home, fixture.repo);
    process.env["DATABASE_URL"] = "hunter2";
    try {
      await fixture.workspace.diff(fixture.refOf(info, request), info.baseCommit);
    } finally {
      delete process.env["DATABASE_URL"];
    }
    expect(readFileSync(evidence, "utf8")).toContain("GIT_DIR=");
    expect(readFileSync(evidence, "utf8")).not.toContain("hunter2");
  });
});
