import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNodeHost } from "../platform/host.ts";
import { createSilentLog } from "../platform/log.ts";
import { git, makeRepo } from "../testing/git-repo.ts";
import { tempDir } from "../testing/temp.ts";
import { identityAsSettings, readGitIdentity } from "./git-identity.ts";

const PATH = process.env["PATH"] ?? "";

function aUser(config: string): ReturnType<typeof createNodeHost> {
  const home = tempDir();
  writeFileSync(join(home, ".gitconfig"), config);
  return createNodeHost({ log: createSilentLog(), env: { PATH, HOME: home, GIT_CONFIG_NOSYSTEM: "1" } });
}

function aRepository(): string {
  const repo = makeRepo(join(tempDir(), "repo"));
  for (const name of ["user.name", "user.email"]) {
    try {
      git(repo, "config", "--unset-all", name);
    } catch {
      // It has no identity of its own.
    }
  }
  return repo;
}

it("a command whose global configuration is hidden commits as the user", async () => {
  const repo = aRepository();
  const host = aUser('[user]\n\tname = "Ann = B"\n\temail = old@example.com\n\temail = ann@example.com\n');
  const identity = await readGitIdentity(host, repo);
  expect(identity).toEqual({ "user.name": "Ann = B", "user.email": "ann@example.com" });
  const shell = { PATH, HOME: tempDir(), GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const env = { ...shell, ...identityAsSettings(identity, {}) };
  execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "x"], { cwd: repo, env });
  const author = execFileSync("git", ["log", "-1", "--format=%an <%ae> %cn <%ce>"], { cwd: repo, env });
  expect(author.toString().trim()).toBe("Ann = B <ann@example.com> Ann = B <ann@example.com>");
});

it("a user without an identity has none", async () => {
  const identity = await readGitIdentity(aUser(""), aRepository());
  expect(identity).toEqual({});
  expect(identityAsSettings(identity, { GIT_CONFIG_COUNT: "1" })).toEqual({});
});
