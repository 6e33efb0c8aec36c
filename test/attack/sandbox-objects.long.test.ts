import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { begin, hasBubblewrap, note, run, stage } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { OBJECT_ATTACKS, swapLoose } from "./object-attacks.ts";

const WORK = "echo 'print(1)' > app.py; git add -A; git commit -qm work";

describe.skipIf(!hasBubblewrap)(`the user's repository and an agent in a sandbox${note}`, () => {
  it("is as before after every attempt to change what git reads", async () => {
    const { fleet } = await stage();
    const { repo } = fleet;
    git(repo, "tag", "-a", "-m", "first", "v1");
    git(repo, "gc", "-q");
    const other = await begin(fleet, "bystander");
    const { id, branch } = await begin(fleet, "attacker");
    await run(fleet, id, WORK);
    await expect.poll(() => subject(repo, branch), { timeout: PATIENCE_MS }).toBe("work");
    for (const [name, command] of OBJECT_ATTACKS) {
      const before = picture(repo);
      await run(fleet, id, command({ repo, other: other.branch }));
      expect(picture(repo), name).toEqual(before);
      expect(fsck(repo), name).toBe("");
    }
    await run(fleet, other.id, "echo x > other.txt; git add -A; git commit -qm other");
    await expect.poll(() => subject(repo, other.branch), { timeout: PATIENCE_MS }).toBe("other");
  });

  it("gets what was approved, whatever happens to the objects afterwards", async () => {
    const { fleet } = await stage();
    const { repo } = fleet;
    const { id, branch } = await begin(fleet, "swap");
    await run(fleet, id, WORK);
    await ao(fleet, "pr", "open", id);
    const number = "1";
    expect(await ao(fleet, "pr", "diff", number)).toContain("print(1)");
    await ao(fleet, "approve", number);
    for (const revision of ["HEAD:app.py", `main:a.txt`])
      await run(fleet, id, swapLoose(revision, "import os #EVIL\n"));
    await ao(fleet, "merge", number);
    expect(git(repo, "show", "main:app.py")).toBe("print(1)\n");
    expect(readFileSync(join(repo, "app.py"), "utf8")).toBe("print(1)\n");
    expect(readFileSync(join(repo, "a.txt"), "utf8")).toBe("a\n");
    expect(subject(repo, branch)).toBe("work");
    expect(fsck(repo)).toBe("");
  });

  it("takes no commit over whose objects were replaced or are malformed, and says so", async () => {
    const { fleet } = await stage();
    const { repo } = fleet;
    const { id, branch } = await begin(fleet, "forged");
    const before = git(repo, "rev-parse", branch);
    await run(fleet, id, `${WORK}; ${swapLoose("HEAD:app.py", "import os #EVIL\n")}`);
    await expect(ao(fleet, "pr", "open", id)).rejects.toThrow(/refused/);
    expect(git(repo, "rev-parse", branch)).toBe(before);
    expect(fsck(repo)).toBe("");
  });

  it("shows the agent where the base is, and keeps everything that it borrows", async () => {
    const { fleet } = await stage();
    const { repo } = fleet;
    git(repo, "branch", "gone");
    const { id, branch } = await begin(fleet, "follower");
    await run(fleet, id, WORK);
    git(repo, "commit", "-q", "--allow-empty", "-m", "moved");
    const at = (command: string): Promise<string> => run(fleet, id, command);
    expect(await at("git merge -q --no-edit main && git log --format=%s -1 main")).toBe("moved");
    expect(await at("git log -1 --format=%s; git rebase -q main; git log --format=%s -2")).toContain("work");
    git(repo, "reset", "-q", "--hard", "HEAD~1");
    git(repo, "reflog", "expire", "--expire=now", "--all");
    git(repo, "gc", "-q", "--prune=now");
    expect(
      await at(
        "git fsck --connectivity-only --no-dangling 2>&1; git log --all --format=%s > /dev/null; git status --short",
      ),
    ).toBe("");
    await expect.poll(() => subject(repo, branch), { timeout: PATIENCE_MS }).toBe("work");
    await ao(fleet, "stop", id);
    expect(git(repo, "for-each-ref", "refs/ao/borrowed")).toBe("");
  });
});

function subject(repo: string, branch: string): string {
  return git(repo, "log", "--format=%s", "-1", branch).trim();
}

/** What git says about the repository that is more than a note on unreachable objects. */
function fsck(repo: string): string {
  const args = ["fsck", "--full", "--strict", "--no-dangling", "--no-progress"];
  try {
    return execFileSync("git", args, { cwd: repo, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr);
  }
}

/** Everything in the user's git folder that decides what git shows and does. */
function picture(repo: string): Readonly<Record<string, string>> {
  const files = [
    "config",
    "HEAD",
    "index",
    "packed-refs",
    "shallow",
    "commondir",
    "config.worktree",
    "info/attributes",
  ];
  const more = ["info/grafts", "info/exclude", "objects/info/alternates", "hooks/post-commit", "logs/HEAD"];
  const hashes = [...files, ...more].map((name) => [name, hashOf(join(repo, ".git", name))]);
  return {
    ...Object.fromEntries(hashes),
    refs: git(repo, "for-each-ref", "refs/heads", "refs/tags", "refs/remotes", "refs/replace"),
    log: git(repo, "log", "--branches", "--format=%H"),
  };
}

function hashOf(path: string): string {
  if (!existsSync(path)) return "absent";
  return `${statSync(path).mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}
