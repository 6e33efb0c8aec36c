import { createHash } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { CreateWorkspace, WorkspaceInfo } from "../../../ports/workspace.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { inSandbox } from "../../../testing/own-repository.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

function open(files?: Readonly<Record<string, string>>): WorkspaceFixture {
  const context = { home: tempDir(), projectPath: "" };
  return openWorkspaceFixture((host) => inSandbox(worktree.create(worktree.config.parse({}), host, context)), files);
}

function at({ request }: WorkspaceFixture, path: string): CreateWorkspace {
  const asked = request("one");
  return { ...asked, project: { ...asked.project, path, worktreeDir: join(tempDir(), "trees") } };
}

async function commitAndPublish(
  { workspace, refOf }: WorkspaceFixture,
  asked: CreateWorkspace,
): Promise<WorkspaceInfo> {
  const info = await workspace.create(asked);
  expect(lstatSync(join(info.path, ".git")).isDirectory()).toBe(true);
  writeFiles(info.path, { "new.txt": "1" });
  git(info.path, "add", "-A");
  git(info.path, "commit", "-q", "-m", "work");
  await workspace.publish?.(refOf(info, asked));
  expect(git(asked.project.path, "show", "agent/one:new.txt")).toBe("1");
  git(asked.project.path, "fsck", "--connectivity-only", "--no-dangling");
  return info;
}

test.each([
  ["a shallow repository", (from: string, to: string) => git(from, "clone", "-q", "--depth=1", `file://${from}`, to)],
  ["a bare repository", (from: string, to: string) => git(from, "clone", "-q", "--bare", from, to)],
  [
    "a partial clone",
    (from: string, to: string) => {
      git(from, "config", "uploadpack.allowFilter", "true");
      git(from, "clone", "-q", "--filter=blob:none", `file://${from}`, to);
    },
  ],
  [
    "a repository with another object format",
    (from: string, to: string) => {
      git(from, "init", "-q", "-b", "main", "--object-format=sha256", to);
      writeFiles(to, { "a.txt": "a" });
      git(to, "add", "-A");
      git(to, "commit", "-q", "-m", "first");
    },
  ],
])("publishes to %s", async (_, make) => {
  const fixture = open();
  writeFiles(fixture.repo, { "README.md": "second\n" });
  git(fixture.repo, "commit", "-q", "-a", "-m", "second");
  const path = join(tempDir(), "project");
  make(fixture.repo, path);
  const asked = at(fixture, path);
  const info = await commitAndPublish(fixture, asked);
  expect((await fixture.workspace.remove(fixture.refOf(info, asked))).kind).toBe("removed");
});

test("is as sparse as the project's checkout", async () => {
  const fixture = open({ "a.txt": "a", "left-out/x": "x" });
  git(fixture.repo, "sparse-checkout", "set", "--no-cone", "/*", "!/left-out");
  const info = await commitAndPublish(fixture, fixture.request("one"));
  expect(existsSync(join(info.path, "left-out"))).toBe(false);
  expect(git(info.path, "status", "--porcelain")).toBe("");
  expect(git(fixture.repo, "show", "agent/one:left-out/x")).toBe("x");
});

test("runs the project's hooks for the agent and for ao, but none that was planted later", async () => {
  const fixture = open();
  const { workspace, repo, request, refOf } = fixture;
  const hook = join(repo, ".git/hooks/pre-commit");
  writeFileSync(hook, '#!/bin/sh\necho "$PWD" >> "$(git rev-parse --git-dir)/ran"\n');
  chmodSync(hook, 0o755);
  const info = await workspace.create(request("one"));
  const ran = (): number => readFileSync(join(info.path, ".git/ran"), "utf8").trim().split("\n").length;
  writeFiles(info.path, { "new.txt": "1" });
  git(info.path, "add", "-A");
  git(info.path, "commit", "-q", "-m", "work");
  expect(ran()).toBe(1);
  writeFiles(info.path, { "new.txt": "2" });
  await workspace.commit(refOf(info, request("one")), { message: "more", env: {} });
  expect(ran()).toBe(2);
  writeFileSync(hook, '#!/bin/sh\necho planted >> "$(git rev-parse --git-dir)/ran"\n');
  writeFiles(info.path, { "new.txt": "3" });
  await workspace.commit(refOf(info, request("one")), { message: "last", env: {} });
  expect(ran()).toBe(2);
});

test("takes over files of Git LFS whose content fits their name", async () => {
  const fixture = open();
  const { workspace, repo, request } = fixture;
  const info = await workspace.create(request("one"));
  const put = (id: string, content: string): string => {
    const name = join("lfs/objects", id.slice(0, 2), id.slice(2, 4), id);
    mkdirSync(dirname(join(info.path, ".git", name)), { recursive: true });
    writeFileSync(join(info.path, ".git", name), content);
    return join(repo, ".git", name);
  };
  const real = put(createHash("sha256").update("large").digest("hex"), "large");
  const forged = put("0".repeat(64), "forged");
  await commitAndPublish(fixture, request("one"));
  expect(readFileSync(real, "utf8")).toBe("large");
  expect(existsSync(forged)).toBe(false);
});

test("follows the base and knows the tags that it contains", async () => {
  const { workspace, repo, request, refOf } = open();
  git(repo, "tag", "-a", "-m", "one", "v1");
  git(repo, "branch", "release/1");
  const asked = request("one", { base: "release/1" });
  const info = await workspace.create(asked);
  expect(git(info.path, "describe", "--tags").trim()).toBe("v1");
  git(repo, "commit", "-q", "--allow-empty", "-m", "moved");
  git(repo, "branch", "-f", "release/1", "main");
  git(repo, "pack-refs", "--all");
  await workspace.refresh?.(refOf(info, asked));
  for (const branch of ["main", "release/1"]) {
    expect(git(info.path, "rev-parse", branch)).toBe(git(repo, "rev-parse", "main"));
  }
});

test("is only for sessions in a sandbox, and never for a worktree that is there", async () => {
  const context = { home: tempDir(), projectPath: "" };
  const { workspace, repo, request, refOf } = openWorkspaceFixture((host) =>
    worktree.create(worktree.config.parse({}), host, context),
  );
  const info = await workspace.create(request("one"));
  expect(lstatSync(join(info.path, ".git")).isFile()).toBe(true);
  expect(await workspace.publish?.(refOf(info, request("one")))).toBe(null);
  const again = await inSandbox(workspace).create(request("one", { generation: 2, restore: true }));
  expect(lstatSync(join(again.path, ".git")).isFile()).toBe(true);
  await workspace.remove(refOf(again, request("one", { generation: 2 })));
  const own = await inSandbox(workspace).create(request("one", { generation: 3, restore: true }));
  expect(lstatSync(join(own.path, ".git")).isDirectory()).toBe(true);
  const second = inSandbox(workspace).create(request("two", { branch: "agent/one" }));
  await expect(second).rejects.toMatchObject({ code: "branch-taken" });
  expect(git(repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
});
