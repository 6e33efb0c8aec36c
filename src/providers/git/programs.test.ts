import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createNodeHost } from "../../platform/host.ts";
import { createSilentLog } from "../../platform/log.ts";
import { worktree } from "../../plugins/workspace/worktree/worktree.ts";
import { git, writeFiles } from "../../testing/git-repo.ts";
import { tempDir } from "../../testing/temp.ts";
import { openWorkspaceFixture } from "../../testing/workspace-fixture.ts";
import { listForeign, trustPrograms } from "./programs.ts";

it("runs the filters and hooks that the repository had at first, reports later ones, and runs those once the user trusts them", async () => {
  const home = tempDir();
  const fixture = openWorkspaceFixture(
    (host) => worktree.create(worktree.config.parse({}), host, { home, projectPath: "" }),
    { ".gitattributes": "a.txt filter=mine\nb.txt filter=theirs=x merge=theirs\n", "a.txt": "a\n", "b.txt": "b\n" },
  );
  const { repo, workspace } = fixture;
  const traces = tempDir();
  const trace = (name: string): string => join(traces, name);
  const seen = (): readonly string[] => ["mine", "theirs", "hook"].filter((name) => existsSync(trace(name)));
  const hook = join(repo, ".git/hooks/post-checkout");
  git(repo, "config", "filter.mine.clean", `touch ${trace("mine")}; cat`);
  writeFileSync(hook, `#!/bin/sh\ntouch ${trace("hook")}\n`, { mode: 0o755 });

  const first = await workspace.create(fixture.request("one"));
  expect([first.notes, seen()]).toEqual([[], ["hook"]]);
  rmSync(trace("hook"));
  // What an agent without a sandbox can do.
  git(repo, "config", "filter.theirs=x.clean", `touch ${trace("theirs")}; cat`);
  git(repo, "config", "filter.theirs=x.smudge", "cat");
  git(repo, "config", "filter.theirs=x.required", "true");
  git(repo, "config", "core.hooksPath", traces);
  writeFileSync(trace("post-checkout"), readFileSync(hook), { mode: 0o755 });
  writeFiles(first.path, { "a.txt": "changed\n", "b.txt": "changed\n" });
  const ref = fixture.refOf(first, fixture.request("one"));
  expect(await workspace.diff(ref, first.baseCommit)).toContain("+changed");
  const second = await workspace.create(fixture.request("two"));
  expect(second.notes).toEqual([
    expect.stringContaining("(core.hookspath, filter.theirs=x.clean, filter.theirs=x.smudge)"),
  ]);
  expect(seen()).toEqual(["mine"]);
  // Other tests in this process may add entries for their own repositories.
  const foreign = (): readonly string[] => listForeign().filter((note) => note.includes(repo));
  expect(foreign()).toEqual(second.notes);

  await trustPrograms(createNodeHost({ log: createSilentLog() }), home, repo);
  await workspace.diff(ref, first.baseCommit);
  expect([(await workspace.create(fixture.request("three"))).notes, foreign()]).toEqual([[], []]);
  expect(seen()).toEqual(["mine", "theirs", "hook"]);
});

it("does not run a hook added later, reports it, and still checks out", async () => {
  const home = tempDir();
  const fixture = openWorkspaceFixture((host) =>
    worktree.create(worktree.config.parse({}), host, { home, projectPath: "" }),
  );
  const trace = join(tempDir(), "hook");
  await fixture.workspace.create(fixture.request("one"));
  writeFileSync(join(fixture.repo, ".git/hooks/post-checkout"), `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
  const info = await fixture.workspace.create(fixture.request("two"));
  expect([existsSync(trace), existsSync(join(info.path, "README.md"))]).toEqual([false, true]);
  expect(info.notes).toEqual([expect.stringContaining("(hooks)")]);
});
