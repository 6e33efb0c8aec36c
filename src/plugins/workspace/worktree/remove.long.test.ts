import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Host } from "../../../ports/host.ts";
import type { RemoveOutcome, Workspace, WorkspaceInfo } from "../../../ports/workspace.ts";
import { git, makeRepo, writeFiles } from "../../../testing/git-repo.ts";
import { tempDir } from "../../../testing/temp.ts";
import { openWorkspaceFixture, type WorkspaceFixture } from "../../../testing/workspace-fixture.ts";
import { worktree } from "./worktree.ts";

function make(host: Host): Workspace {
  return worktree.create(worktree.config.parse({}), host, { home: tempDir(), projectPath: "" });
}

async function removeAfter(
  fixture: WorkspaceFixture,
  work: (path: string) => void | Promise<void>,
  workspace = fixture.workspace,
): Promise<{ readonly info: WorkspaceInfo; readonly outcome: RemoveOutcome }> {
  const info = await fixture.workspace.create(fixture.request("one"));
  await work(info.path);
  return { info, outcome: await workspace.remove(fixture.refOf(info, fixture.request("one"))) };
}

function restore(fixture: WorkspaceFixture): Promise<WorkspaceInfo> {
  return fixture.workspace.create(fixture.request("one", { generation: 2, restore: true }));
}

const MAKE_PIPE = 'mkfifo "$1"';
const SUBMODULE = ["-c", "protocol.file.allow=always", "submodule"] as const;

function addSubmodule(fixture: WorkspaceFixture): void {
  const library = makeRepo(join(tempDir(), "library"), { "lib.txt": "1\n" });
  git(fixture.repo, ...SUBMODULE, "add", "-q", library, "lib");
  git(fixture.repo, "commit", "-q", "-m", "library");
}

test.each<[string, (path: string) => void, RegExp]>([
  ["a locked worktree", (path) => git(path, "worktree", "lock", "--reason", "on a stick", path), /locked: on a stick/],
  ["a ref of its own", (path) => git(path, "update-ref", "refs/worktree/mine", "HEAD"), /refs\/worktree\/mine/],
  ["a bisect", (path) => git(path, "bisect", "start"), /bisect is in progress/],
  ["a branch without a commit", (path) => git(path, "checkout", "-q", "--orphan", "fresh"), /no commit/],
  [
    "a repository inside a folder of tracked files",
    (path) => git(join(path, "src"), "init", "-q"),
    /src\/ is a separate repo/,
  ],
  [
    "a bare repository",
    (path) => git(path, "init", "-q", "--bare", "store.git"),
    /store\.git\/ is a separate repository/,
  ],
  [
    "a file with line endings that git would change",
    (path) => writeFileSync(join(path, "x.win"), "a\nb\r\n"),
    /x\.win/,
  ],
  ["a tracked file that became a pipe", makePipe, /a\.txt/],
])("keeps the folder of %s, and reports it", async (_, spoil, reason) => {
  const fixture = openWorkspaceFixture(make, {
    "a.txt": "a\n",
    "src/b.txt": "b\n",
    ".gitattributes": "*.win text eol=crlf\n",
  });
  const { info, outcome } = await removeAfter(fixture, spoil);
  expect(outcome).toEqual({ kind: "kept", reason: expect.stringMatching(reason) });
  expect(existsSync(join(info.path, "src/b.txt"))).toBe(true);
  expect(readdirSync(join(fixture.repo, ".worktrees"))).toEqual(["one"]);
});

function makePipe(path: string): void {
  rmSync(join(path, "a.txt"));
  execFileSync("sh", ["-c", MAKE_PIPE, "sh", join(path, "a.txt")]);
}

test("keeps the folder if it has more untracked bytes than allowed, and not one byte earlier", async () => {
  const config = worktree.config.parse({ maxUntrackedBytes: 1000 });
  const small = (host: Host): Workspace => worktree.create(config, host, { home: tempDir(), projectPath: "" });
  const fixture = openWorkspaceFixture(small, { "README.md": "# sample\n", ".gitignore": "ignored.bin\n" });
  const { info, outcome } = await removeAfter(fixture, (path) =>
    writeFiles(path, { "a.bin": "x".repeat(600), "b.bin": "x".repeat(401), "ignored.bin": "x".repeat(5000) }),
  );
  expect(outcome).toMatchObject({ kind: "kept", reason: expect.stringContaining("untracked") });
  writeFiles(info.path, { "b.bin": "x".repeat(400) });
  expect(await fixture.workspace.remove(fixture.refOf(info, fixture.request("one")))).toMatchObject({
    kind: "removed",
  });
});

test.skipIf(process.getuid?.() === 0)("keeps the folder of unreadable files", async () => {
  const fixture = openWorkspaceFixture(make);
  const { outcome } = await removeAfter(fixture, (path) => {
    writeFiles(path, { "secret/file.txt": "1" });
    chmodSync(join(path, "secret"), 0o000);
  });
  chmodSync(join(fixture.repo, ".worktrees/one/secret"), 0o755);
  expect(outcome).toMatchObject({ kind: "kept" });
});

test.each<[string, (lib: string) => void]>([
  ["changes", (lib) => writeFiles(lib, { "lib.txt": "changed" })],
  ["untracked files", (lib) => writeFiles(lib, { "new.txt": "new" })],
  ["another commit", (lib) => git(lib, "commit", "-q", "--allow-empty", "-m", "local")],
  ["a stash", stashSomething],
])("keeps the folder of a submodule with %s", async (_, change) => {
  const fixture = openWorkspaceFixture(make);
  addSubmodule(fixture);
  const { info, outcome } = await removeAfter(fixture, (path) => {
    git(path, ...SUBMODULE, "update", "-q", "--init");
    change(join(path, "lib"));
  });
  expect(outcome).toMatchObject({ kind: "kept", reason: expect.stringContaining("submodule lib") });
  expect(existsSync(join(info.path, "lib/lib.txt"))).toBe(true);
});

function stashSomething(lib: string): void {
  writeFiles(lib, { "lib.txt": "changed" });
  git(lib, "stash", "-q");
}

test("removes a worktree whose submodule has no work of its own", async () => {
  const fixture = openWorkspaceFixture(make);
  addSubmodule(fixture);
  const { info, outcome } = await removeAfter(fixture, (path) => {
    git(path, ...SUBMODULE, "update", "-q", "--init");
    writeFiles(path, { "new.txt": "1" });
  });
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
  expect(existsSync(info.path)).toBe(false);
  expect(git((await restore(fixture)).path, "status", "--porcelain")).toBe("?? new.txt\n");
});

test("saves what index flags hide", async () => {
  const fixture = openWorkspaceFixture(make, { "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const { outcome } = await removeAfter(fixture, (path) => {
    git(path, "update-index", "--assume-unchanged", "a.txt");
    git(path, "update-index", "--skip-worktree", "b.txt");
    writeFiles(path, { "a.txt": "hidden a", "b.txt": "hidden b" });
    expect(git(path, "status", "--porcelain")).toBe("");
  });
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
  expect(git((await restore(fixture)).path, "status", "--porcelain")).toBe(" M a.txt\n M b.txt\n");
});

test("does not treat files that a sparse checkout omits as deleted", async () => {
  const fixture = openWorkspaceFixture(make, { "in/a.txt": "a\n", "out/b.txt": "b\n" });
  const { outcome } = await removeAfter(fixture, (path) => {
    git(path, "sparse-checkout", "set", "in");
    expect(existsSync(join(path, "out/b.txt"))).toBe(false);
    writeFiles(path, { "in/a.txt": "changed\n" });
  });
  expect(outcome.kind === "removed" && outcome.preservedRef).toBe("refs/ao/preserved/one/1");
  expect(git(fixture.repo, "diff", "--name-only", "main", "refs/ao/preserved/one/1")).toBe("in/a.txt\n");
});

test.each(["a file", "nothing", "."])(
  "saves a staged path that a flag hides and a link to %s blocks",
  async (target) => {
    const bench = openWorkspaceFixture(make, { "a file": "a\n", "src/b.txt": "b\n" });
    const { outcome } = await removeAfter(bench, (path) => {
      writeFiles(path, { "src/b.txt": "staged\n" });
      git(path, "add", "-A");
      git(path, "update-index", "--skip-worktree", "src/b.txt");
      rmSync(join(path, "src"), { recursive: true });
      symlinkSync(target, join(path, "src"));
    });
    expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
    expect(git((await restore(bench)).path, "status", "--porcelain")).toBe("MD src/b.txt\n?? src\n");
  },
);

test("saves commits of a detached HEAD that are on no branch", async () => {
  const fixture = openWorkspaceFixture(make);
  const { outcome } = await removeAfter(fixture, (path) => {
    git(path, "checkout", "-q", "--detach");
    writeFiles(path, { "work.txt": "1" });
    git(path, "add", "-A");
    git(path, "commit", "-q", "-m", "on no branch");
  });
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
  expect(git(fixture.repo, "log", "-1", "--format=%s", "refs/ao/preserved/one/1^1")).toBe("on no branch\n");
});

test("saves a state in the form of a stash, by ao, with the session in its trailers", async () => {
  const fixture = openWorkspaceFixture(make);
  const { info } = await removeAfter(fixture, (path) => writeFiles(path, { "new.txt": "1" }));
  const shown = git(fixture.repo, "show", "-s", "--format=%an <%ae>%n%P%n%(trailers)", "refs/ao/preserved/one/1");
  expect(shown).toContain("ao <ao@localhost>");
  expect(shown).toContain(info.head);
  for (const line of ['Ao-Session: "one"', "Ao-Branch: agent/one", "Ao-Detached: false"]) expect(shown).toContain(line);
  const other = join(tempDir(), "other");
  git(fixture.repo, "worktree", "add", "-q", "--detach", other);
  git(other, "stash", "apply", "-q", "refs/ao/preserved/one/1");
  expect(readFileSync(join(other, "new.txt"), "utf8")).toBe("1");
});

test("does not save sockets and pipes, ignored files, or a clean tree", async () => {
  const fixture = openWorkspaceFixture(make, { "README.md": "# sample\n", ".gitignore": "*.log\n" });
  const { info, outcome } = await removeAfter(fixture, (path) => {
    execFileSync("sh", ["-c", MAKE_PIPE, "sh", join(path, "pipe")]);
    writeFiles(path, { "debug.log": "not saved" });
    // Touched, but the same: nothing to save.
    writeFiles(path, { "README.md": "# sample\n" });
  });
  expect(outcome).toEqual({ kind: "removed", preservedRef: null, head: info.head });
});

test("does not treat what is behind a link in place of a folder as its own", async () => {
  const fixture = openWorkspaceFixture(make, { "src/a.txt": "a\n", "loop/b.txt": "b\n" });
  const outside = makeRepo(join(tempDir(), "outside"), { "a.txt": "elsewhere" });
  const { outcome } = await removeAfter(fixture, (path) => {
    for (const name of ["src", "loop"]) rmSync(join(path, name), { recursive: true });
    symlinkSync(outside, join(path, "src"));
    symlinkSync("loop/b.txt", join(path, "loop"));
  });
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/1" });
  expect(git(fixture.repo, "show", "refs/ao/preserved/one/1:src")).toBe(outside);
  expect(readFileSync(join(outside, "a.txt"), "utf8")).toBe("elsewhere");
});

test("does not follow links when it deletes", async () => {
  const fixture = openWorkspaceFixture(make);
  const outside = tempDir();
  writeFiles(outside, { "precious.txt": "mine" });
  await removeAfter(fixture, (path) => symlinkSync(outside, join(path, "out")));
  expect(readFileSync(join(outside, "precious.txt"), "utf8")).toBe("mine");
});

test("saves what is written between saving and deletion", async () => {
  const fixture = openWorkspaceFixture(make);
  const real = createNodeHost({ log: createSilentLog() });
  let moved = "";
  const rename: typeof real.fs.rename = async (from, to) => {
    await real.fs.rename(from, to);
    if (basename(to) !== ".ao-removing-one") return;
    moved = to;
    // A process with the folder as its working directory keeps writing after the move.
    writeFiles(to, { "late.txt": "written late" });
  };
  const host: Host = { ...real, fs: { ...real.fs, rename } };
  const { outcome } = await removeAfter(fixture, (path) => writeFiles(path, { "early.txt": "1" }), make(host));
  expect(moved).not.toBe("");
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: "refs/ao/preserved/one/2" });
  expect(git((await restore(fixture)).path, "status", "--porcelain")).toBe("?? early.txt\n?? late.txt\n");
});

test("puts the folder back if its files never stop changing", async () => {
  const fixture = openWorkspaceFixture(make);
  const real = createNodeHost({ log: createSilentLog() });
  let writes = 0;
  const exec: Host["exec"] = async (call) => {
    writes += 1;
    if (call.args.includes("update-ref")) writeFiles(call.cwd ?? "", { [`.worktrees/.ao-removing-one/${writes}`]: "" });
    return real.exec(call);
  };
  const busy = make({ ...real, exec });
  const { info, outcome } = await removeAfter(fixture, (path) => writeFiles(path, { "early.txt": "1" }), busy);
  // The first save happens before the move; what it wrote is where the folder was going.
  expect(outcome.kind).toBe("kept");
  expect(readFileSync(join(info.path, "early.txt"), "utf8")).toBe("1");
});

test("keeps a folder in which a nested repository appears after saving", async () => {
  const fixture = openWorkspaceFixture(make);
  const real = createNodeHost({ log: createSilentLog() });
  const rename: typeof real.fs.rename = async (from, to) => {
    await real.fs.rename(from, to);
    if (basename(to) !== ".ao-removing-one") return;
    mkdirSync(join(to, "inner"));
    git(join(to, "inner"), "init", "-q");
  };
  const host: Host = { ...real, fs: { ...real.fs, rename } };
  const { info, outcome } = await removeAfter(fixture, () => undefined, make(host));
  expect(outcome).toMatchObject({ kind: "kept", reason: expect.stringContaining("inner/ is a separate repository") });
  expect(existsSync(join(info.path, "inner/.git"))).toBe(true);
});

test("runs preRemove in the folder, and continues if it fails", async () => {
  const fixture = openWorkspaceFixture(make);
  const asked = fixture.request("one");
  const project = { ...asked.project, preRemove: ["false", 'echo "$AO_SESSION $EXTRA" > ../../stopped.txt'] };
  const info = await fixture.workspace.create({ ...asked, project });
  const ref = fixture.refOf(info, { ...asked, project });
  const outcome = await fixture.workspace.remove({ ...ref, env: { EXTRA: "x y" } });
  expect(outcome.kind).toBe("removed");
  expect(readFileSync(join(fixture.repo, "stopped.txt"), "utf8")).toBe("one x y\n");
});

test("leaves a worktree alone that is not the session's, or was restored since", async () => {
  const fixture = openWorkspaceFixture(make);
  const info = await fixture.workspace.create(fixture.request("one", { generation: 2 }));
  const ref = fixture.refOf(info, fixture.request("one"));
  expect(await fixture.workspace.remove(ref)).toMatchObject({ kind: "kept" });
  expect(await fixture.workspace.remove({ ...ref, sessionId: "two", generation: 2 })).toMatchObject({ kind: "kept" });
  expect(existsSync(join(info.path, "README.md"))).toBe(true);
});

test("creates and removes many at once without a failure", async () => {
  const fixture = openWorkspaceFixture(make);
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const request = fixture.request(`many-${at}`);
      const info = await fixture.workspace.create(request);
      writeFiles(info.path, { "work.txt": `${at}` });
      return fixture.workspace.remove(fixture.refOf(info, request));
    }),
  );
  expect(new Set(outcomes.map((outcome) => outcome.kind))).toEqual(new Set(["removed"]));
  expect(readdirSync(join(fixture.repo, ".worktrees"))).toEqual([]);
});

test("survives git worktree prune and gc at every step of a removal and of the restore after it", async () => {
  let repo = "";
  const fixture = openWorkspaceFixture((host) => {
    const rename: Host["fs"]["rename"] = async (from, to) => {
      await host.fs.rename(from, to);
      // The user's own git, while a folder is not where its entry says.
      git(repo, "worktree", "prune", "--expire=now");
      git(repo, "gc", "--quiet");
    };
    return make({ ...host, fs: { ...host.fs, rename } });
  });
  ({ repo } = fixture);
  const { info, outcome } = await removeAfter(fixture, (path) => {
    writeFiles(path, { "staged.txt": "staged\n" });
    git(path, "add", "staged.txt");
    writeFiles(path, { "new.txt": "new\n", "README.md": "changed\n" });
  });
  expect(outcome).toMatchObject({ kind: "removed", preservedRef: expect.stringContaining("refs/ao/preserved/one/") });
  await restore(fixture);
  expect(git(info.path, "status", "--porcelain")).toBe(" M README.md\nA  staged.txt\n?? new.txt\n");
  expect(git(repo, "worktree", "list", "--porcelain")).not.toContain("locked");
});

test("removes its own lock if the folder has to stay, and after a crash", async () => {
  const fixture = openWorkspaceFixture(make);
  const info = await fixture.workspace.create(fixture.request("one"));
  const lock = join(fixture.repo, ".git/worktrees/one/locked");
  writeFileSync(lock, "ao is removing this worktree\n");
  await restore(fixture);
  expect(existsSync(lock)).toBe(false);
  const again = fixture.refOf(info, fixture.request("one", { generation: 2 }));
  writeFileSync(lock, "ao is removing this worktree\n");
  expect(await fixture.workspace.remove(again)).toMatchObject({ kind: "removed" });
});
