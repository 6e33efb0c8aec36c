import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../../testing/temp.ts";
import { sessionAt } from "./session-here.ts";

const marker = JSON.stringify({ sessionId: "web-fix", state: "ready" });

/** A repository with a linked worktree of a session. */
function aWorktree(): { readonly repo: string; readonly worktree: string } {
  const repo = tempDir();
  const worktree = join(repo, ".worktrees/fix");
  const gitDir = join(repo, ".git/worktrees/fix");
  mkdirSync(join(worktree, "src"), { recursive: true });
  mkdirSync(gitDir, { recursive: true });
  writeFileSync(join(gitDir, "ao-session"), marker);
  writeFileSync(join(worktree, ".git"), `gitdir: ${gitDir}\n`);
  return { repo, worktree };
}

describe("the session of a folder", () => {
  it("is the one whose worktree contains it, at any depth", () => {
    const { worktree } = aWorktree();
    expect(sessionAt(worktree)).toBe("web-fix");
    expect(sessionAt(join(worktree, "src"))).toBe("web-fix");
  });

  it("is the one whose clone contains it", () => {
    const clone = tempDir();
    mkdirSync(join(clone, ".git"));
    writeFileSync(join(clone, ".git/ao-session"), marker);
    expect(sessionAt(clone)).toBe("web-fix");
  });

  it("is none in the project's own checkout, outside a repository, or in a repository inside the worktree", () => {
    const { repo, worktree } = aWorktree();
    expect(sessionAt(repo)).toBeNull();
    expect(sessionAt(tempDir())).toBeNull();
    const inner = join(worktree, "vendor/lib");
    mkdirSync(join(inner, ".git"), { recursive: true });
    expect(sessionAt(inner)).toBeNull();
  });

  it("is none if the marker cannot be read", () => {
    const clone = tempDir();
    mkdirSync(join(clone, ".git"));
    for (const text of ["", "{", "{}", '{"sessionId":3}']) {
      writeFileSync(join(clone, ".git/ao-session"), text);
      expect(sessionAt(clone)).toBeNull();
    }
  });
});
