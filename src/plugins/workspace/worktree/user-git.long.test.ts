import { execFile } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { inSandbox } from "../../../testing/own-repository.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

const exec = promisify(execFile);
/** What a person's git may do at any moment, with what it must say. */
const ASKED: readonly (readonly string[])[] = [
  ["fsck", "--full", "--no-dangling", "--no-progress"],
  ["log", "--all", "--oneline", "--name-status"],
  ["gc", "--quiet", "--prune=now"],
  ["worktree", "prune"],
  ["reflog", "expire", "--expire=now", "--all"],
];

const ROUNDS = 4;

/** Asks a repository again and again until it is told to stop; returns what went wrong. */
function keepAsking(repo: string): () => Promise<{ readonly rounds: number; readonly wrong: readonly string[] }> {
  const wrong: string[] = [];
  let isOver = false;
  const loop = async (): Promise<number> => {
    let rounds = 0;
    for (; !isOver; rounds += 1) {
      for (const args of ASKED) {
        const said = await exec("git", [...args], { cwd: repo }).then(
          ({ stderr }) => stderr,
          (error: unknown) => String(error),
        );
        if (/error|fatal|missing|broken|bad/i.test(said)) wrong.push(`git ${args[0]}: ${said}`);
      }
    }
    return rounds;
  };
  const ended = loop();
  return async () => {
    await pause(0);
    isOver = true;
    return { rounds: await ended, wrong };
  };
}

test("a person's git never meets a ref without its objects, and no gc takes objects from a session", async () => {
  const context = { home: tempDir(), projectPath: "" };
  const fixture = openWorkspaceFixture((host) => inSandbox(worktree.create(worktree.config.parse({}), host, context)));
  const { workspace, repo, request, refOf } = fixture;
  git(repo, "tag", "-a", "-m", "v1", "v1");
  git(repo, "branch", "topic");
  // Made before: git itself may lose a commit that is made while it collects garbage.
  git(repo, "checkout", "-q", "-b", "future");
  for (let round = 1; round <= ROUNDS; round += 1) git(repo, "commit", "-q", "--allow-empty", "-m", `main ${round}`);
  git(repo, "checkout", "-q", "main");
  const stop = keepAsking(repo);
  onTestFinished(async () => void (await stop()));
  const info = await workspace.create(request("one", { base: "topic" }));
  const ref = refOf(info, request("one"));
  const at = (...args: string[]): string => git(info.path, ...args);
  const commit = (name: string, ...options: string[]): void => {
    writeFiles(info.path, { [name]: `${name}\n` });
    at("add", "-A");
    at("commit", "-q", "-m", name, ...options);
  };
  const published = async (): Promise<void> => {
    await workspace.publish?.(ref);
    await workspace.refresh?.(ref);
    expect(git(repo, "rev-parse", "agent/one")).toBe(at("rev-parse", "HEAD"));
  };
  for (let round = 1; round <= ROUNDS; round += 1) {
    commit(`a${round}`);
    await published();
    commit(`b${round}`, "--amend");
    await published();
    git(repo, "merge", "-q", "--ff-only", `future~${ROUNDS - round}`);
    await workspace.refresh?.(ref);
    at("merge", "-q", "--no-edit", "main");
    await published();
    commit(`c${round}`);
    at("rebase", "-q", "main");
    await published();
    at("reset", "-q", "--hard", "HEAD~1");
    await published();
  }
  const { rounds, wrong } = await stop();
  expect(wrong).toEqual([]);
  expect(rounds).toBeGreaterThan(2);
  // What the agent had merged, and what its tags are, is gone from the repository.
  git(repo, "tag", "-d", "v1");
  git(repo, "branch", "-q", "-D", "topic", "future");
  git(repo, "reset", "-q", "--hard", "main~1");
  git(repo, "reflog", "expire", "--expire=now", "--all");
  git(repo, "gc", "-q", "--prune=now");
  expect(at("fsck", "--full", "--no-dangling", "--no-progress")).toBe("");
  at("log", "--all", "--reflog", "--oneline");
  commit("last");
  await published();
  expect((await workspace.remove(ref)).kind).toBe("removed");
  expect(git(repo, "for-each-ref", "refs/ao/borrowed")).toBe("");
});
