import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../src/testing/git-repo.ts";
import { begin, hasBubblewrap, note } from "../e2e/sandbox/stage.ts";
import { ao } from "../e2e/survival/ao.ts";
import { EVIL_SETTINGS, lookOutside, ownFile, plan } from "./world.ts";

const REFUSED = /Read-only file system|Device or resource busy|Permission denied|No such file/;

describe.skipIf(!hasBubblewrap)(`an agent in a sandbox that writes git's files${note}`, () => {
  it("cannot reach the owner's token or the socket by naming them as object folders", async () => {
    const { repo, fleet, inside, again } = await plan();
    const file = join(repo, ".git/objects/info/alternates");
    expect(await inside(`printf '%s\\n' ${fleet.home}/token ${fleet.home}/ao.sock ${fleet.home} > ${file}`)).toMatch(
      REFUSED,
    );
    await again();
    expect(await inside('cat "$AO_HOME/token"')).toContain("No such file");
    expect(await inside('ls -A "$AO_HOME"')).toBe("ao.sock\ncaches\nsessions");
    expect(existsSync(file)).toBe(false);
  });

  it("cannot run a program in the user's own git status through a commondir in the shared git folder", async () => {
    const attempt = await plan();
    const { inside, repo } = attempt;
    await inside(EVIL_SETTINGS);
    await inside(`echo $PWD/ev > ${repo}/.git/commondir; cp ev/config ${repo}/.git/config.worktree`);
    expect(existsSync(join(repo, ".git/commondir"))).toBe(false);
    await lookOutside(attempt);
  });

  it.each([
    ["a worktree", {}],
    ["a clone", { workspace: "clone" }],
  ] as const)("cannot write the commondir of %s", async (_, project) => {
    const attempt = await plan(project);
    await attempt.inside(EVIL_SETTINGS);
    expect(await attempt.inside("echo $PWD/ev > .git/commondir")).toMatch(REFUSED);
    expect(await attempt.inside("rm -f .git/commondir")).toMatch(REFUSED);
    await lookOutside(attempt);
  });

  it("cannot run a program through its worktree's settings in a sparse repository", async () => {
    const attempt = await plan({}, (repo) => {
      git(repo, "config", "extensions.worktreeConfig", "true");
      git(repo, "sparse-checkout", "set", "--no-cone", "/*");
    });
    expect(await attempt.inside('git config --worktree filter.x.clean "$PWD/evil.sh"')).toMatch(
      /could not (lock|write)/,
    );
    await attempt.inside(`${EVIL_SETTINGS}; cp ev/config $(git rev-parse --git-dir)/config.worktree`);
    await lookOutside(attempt);
  });

  it("cannot run a program through the settings of a submodule it created", async () => {
    const attempt = await plan();
    await attempt.inside(EVIL_SETTINGS);
    await attempt.inside(
      "git init -q g; cp ev/config g/.git/config; mv g/.git g.git; mkdir sub; echo 'gitdir: ../g.git' > sub/.git",
    );
    await attempt.inside(
      "echo '* filter=x' > sub/.gitattributes; echo x > sub/x; git --git-dir=g.git --work-tree=sub -c filter.x.clean=cat add -A",
    );
    await attempt.inside("git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub");
    await lookOutside(attempt);
  });

  it("cannot make ao create a folder outside or get one to write to", async () => {
    const { user, inside, again } = await plan();
    const folder = join(user, "any");
    mkdirSync(folder);
    expect(await inside(`echo ${folder}/worktrees/zzz > $(git rev-parse --git-dir)/commondir`)).toMatch(REFUSED);
    expect(await inside("echo 'gitdir: /' > .git; rm -f .git; mv .git x")).toMatch(REFUSED);
    await again();
    expect(await inside(`echo x > ${folder}/x`)).toMatch(REFUSED);
    expect(existsSync(join(folder, "hooks"))).toBe(false);
  });

  it("cannot make ao write to the user's files through a link", async () => {
    const { user, repo, fleet, inside } = await plan();
    const file = ownFile(user);
    for (const name of ["info/exclude", "logs/refs/heads/main", "logs/HEAD", "COMMIT_EDITMSG", "FETCH_HEAD", "index"]) {
      await inside(`mkdir -p $(dirname ${repo}/.git/${name}); ln -sf ${file} ${repo}/.git/${name}`);
    }
    await inside(
      `ln -sf ${file} $(git rev-parse --git-dir)/index; ln -sf ${file} $(git rev-parse --git-dir)/COMMIT_EDITMSG`,
    );
    await begin(fleet, "another");
    git(repo, "commit", "-q", "--allow-empty", "-m", "the user goes on");
    expect(readFileSync(file, "utf8")).toBe("mine\n");
  });

  it("can still rebase, stash, merge and pack in its worktree", async () => {
    const { fleet, id, repo, inside } = await plan();
    expect(
      await inside(
        "git add -A; git commit -qm one; git checkout -q -b topic HEAD~1; echo t > t; git add -A; git commit -qm t",
      ),
    ).toBe("");
    expect(
      await inside(
        "git rebase -q -; echo z > a.txt; git stash -q; git stash pop -q; git checkout -q -- a.txt; git status --short",
      ),
    ).toBe("");
    git(repo, "pack-refs", "--all");
    expect(await inside("git log --format=%s -2; git checkout -q -; git merge -q topic; git status --short")).toBe(
      "t\none",
    );
    expect(await inside("git gc -q; git branch -q -D topic 2>/dev/null; git log --format=%s -1")).toBe("t");
    expect(git(repo, "branch", "--list", "topic")).toBe("");
    expect(await inside("echo w > a.txt; git stash -q; git stash list | wc -l")).toBe("1");
    await ao(fleet, "stop", id);
    const kept = git(repo, "for-each-ref", "--format=%(refname)", "refs/ao/kept").trim();
    expect(git(repo, "show", `${kept}:a.txt`)).toBe("w\n");
  });
});
