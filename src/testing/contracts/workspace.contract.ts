import { chmodSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Host } from "../../ports/host.ts";
import type { Workspace, WorkspaceInfo } from "../../ports/workspace.ts";
import { git, writeFiles } from "../git-repo.ts";
import { type Fact, openWorkspaceFixture, type WorkspaceFixture } from "../workspace-fixture.ts";
import { describeChanges } from "./workspace-changes.contract.ts";
import { describeTrials } from "./workspace-trials.contract.ts";

export interface WorkspaceContract {
  readonly name: string;
  readonly create: (host: Host) => Workspace;
  /** A repository other than git's, with its adapter. */
  readonly open?: () => WorkspaceFixture;
  /** False: it has no `trials`. */
  readonly comparable?: false;
  /** Facts that do not hold for this adapter, by name, with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

/** What every workspace adapter must do. */
export function describeWorkspaceContract(contract: WorkspaceContract): void {
  const fact = (name: string, run: (fixture: WorkspaceFixture) => Promise<void>): void => {
    const skipped = contract.skip?.find((entry) => entry.test === name);
    if (skipped !== undefined) test.skip(`${name} (${skipped.reason})`, () => undefined);
    else test(name, () => run(contract.open?.() ?? openWorkspaceFixture(contract.create)));
  };
  describe(`${contract.name} satisfies the workspace contract`, () => {
    describeCreate(fact);
    describeRemove(fact);
    describeRestore(fact, contract.create);
    describeKept(fact);
    describeChanges(fact);
    describeMerged(fact);
    if (contract.comparable !== false) describeTrials(fact);
  });
}

function describeCreate(fact: Fact): void {
  fact(
    "provides a folder on its own branch, at the default branch's commit",
    async ({ workspace, repo, tools, request }) => {
      const info = await workspace.create(request("one"));
      const main = tools.commitOf("main");
      expect(info).toEqual({
        path: info.path,
        branch: "agent/one",
        head: main,
        baseCommit: main,
        restoredFrom: null,
        notes: [],
      });
      expect(await tools.read(join(info.path, "README.md"))).toBe("# sample\n");
      expect(tools.branchAt(info.path)).toBe("agent/one");
      expect([await tools.uncommitted(info.path), await tools.uncommitted(repo)]).toEqual([[], []]);
    },
  );

  fact("returns the same workspace when called twice", async ({ workspace, tools, request }) => {
    const first = await workspace.create(request("one"));
    await tools.write(first.path, { "work.txt": "by the agent\n" });
    expect(await workspace.create(request("one"))).toEqual(first);
    expect(await tools.read(join(first.path, "work.txt"))).toBe("by the agent\n");
  });

  fact("uses an existing branch as is", async ({ workspace, tools, request }) => {
    const head = tools.commitTo("agent/one", { "mine.txt": "1" });
    const info = await workspace.create(request("one"));
    expect(info.head).toBe(head);
    expect(info.baseCommit).toBe(tools.commitOf("main"));
    expect(await tools.exists(join(info.path, "mine.txt"))).toBe(true);
  });

  fact("starts a new branch from the base it is given", async ({ workspace, tools, request }) => {
    const first = tools.commitOf("main") ?? "";
    tools.commitTo("main", {});
    const info = await workspace.create(request("one", { base: first }));
    expect([info.head, info.baseCommit]).toEqual([first, first]);
  });

  fact("reconciles a complete workspace as done and a missing one as not done", async ({ workspace, request }) => {
    expect(await workspace.reconcileCreate(request("one"))).toEqual({ kind: "not-done" });
    const info = await workspace.create(request("one"));
    expect(await workspace.reconcileCreate(request("one"))).toEqual({ kind: "done", value: info });
  });

  fact("creates twenty workspaces at once", async ({ workspace, tools, request }) => {
    const requests = Array.from({ length: 20 }, (_, at) => request(`many-${at}`));
    const infos = await Promise.all(requests.map((one) => workspace.create(one)));
    for (const info of infos) expect(await tools.uncommitted(info.path)).toEqual([]);
    expect(new Set(infos.map((info) => info.path)).size).toBe(20);
  });

  fact("runs postCreate in the folder, with the intent and the attempt", async ({ workspace, request }) => {
    const postCreate = ['printf "%s %s %s %s" "$AO_SESSION" "$AO_INTENT" "$AO_ATTEMPT" "$EXTRA" > made.txt'];
    const asked = request("one", { attempt: 3, env: { EXTRA: "x y" } });
    const info = await workspace.create({ ...asked, project: { ...asked.project, postCreate } });
    expect(readFileSync(join(info.path, "made.txt"), "utf8")).toBe("one intent-one 3 x y");
  });

  fact("tells postCreate by the attempt that it may have run before", async ({ workspace, repo, request }) => {
    const log = join(repo, "..", "attempts.txt");
    const asked = request("one", { env: { LOG: log } });
    const create = (exit: string): Promise<WorkspaceInfo> => {
      const postCreate = [`echo "$AO_ATTEMPT" >> "$LOG"; ${exit}`];
      return workspace.create({ ...asked, project: { ...asked.project, postCreate } });
    };
    await expect(create("exit 7")).rejects.toThrow("exit 7");
    await create("exit 0");
    expect(readFileSync(log, "utf8")).toBe("1\n2\n");
  });

  fact("reports the command and its output when postCreate fails", async ({ workspace, request }) => {
    const asked = request("one");
    const project = { ...asked.project, postCreate: ["echo some detail; exit 7"] };
    await expect(workspace.create({ ...asked, project })).rejects.toThrow(/exit 7.*some detail/s);
  });
}

function describeRemove(fact: Fact): void {
  fact("removes a clean folder, keeps the branch and saves nothing", async ({ workspace, tools, request, refOf }) => {
    const info = await workspace.create(request("one"));
    const ref = refOf(info, request("one"));
    expect(await workspace.inspect(ref)).toEqual({ kind: "ready" });
    expect(await workspace.remove(ref)).toEqual({ kind: "removed", preservedRef: null, head: info.head });
    expect(await tools.exists(info.path)).toBe(false);
    expect((await workspace.inspect(ref)).kind).toBe("missing");
    expect(tools.commitOf("agent/one")).toBe(info.head);
  });

  fact("returns the same answer when removed twice", async ({ workspace, tools, request, refOf }) => {
    const info = await workspace.create(request("one"));
    await tools.write(info.path, { "work.txt": "not committed" });
    const ref = refOf(info, request("one"));
    const first = await workspace.remove(ref);
    expect(first).toEqual({ kind: "removed", preservedRef: "refs/ao/preserved/one/1", head: info.head });
    expect(await workspace.remove(ref)).toEqual(first);
  });

  fact("reports a workspace that never existed as removed", async ({ workspace, repo, request, refOf }) => {
    const never = { path: join(repo, ".worktrees/none"), branch: "agent/none" } as WorkspaceInfo;
    const ref = refOf(never, request("none"));
    expect(await workspace.remove(ref)).toEqual({ kind: "removed", preservedRef: null, head: null });
    expect((await workspace.inspect(ref)).kind).toBe("missing");
  });

  fact("reports a folder that was deleted by hand as removed", async ({ workspace, tools, request, refOf }) => {
    const info = await workspace.create(request("one"));
    await tools.remove(info.path);
    const ref = refOf(info, request("one"));
    expect((await workspace.inspect(ref)).kind).toBe("missing");
    expect(await workspace.remove(ref)).toEqual({ kind: "removed", preservedRef: null, head: info.head });
    expect((await workspace.create(request("one", { generation: 2 }))).head).toBe(info.head);
  });

  fact("leaves the other session alone", async ({ workspace, tools, request, refOf }) => {
    const [one, two] = await Promise.all([workspace.create(request("one")), workspace.create(request("two"))]);
    await tools.write(two.path, { "two.txt": "2" });
    await workspace.remove(refOf(one, request("one")));
    expect(await workspace.inspect(refOf(two, request("two")))).toEqual({ kind: "ready" });
    expect(await tools.uncommitted(two.path)).toEqual(["two.txt"]);
  });
}

function describeRestore(fact: Fact, create: WorkspaceContract["create"]): void {
  fact("restores uncommitted work exactly", async ({ workspace, request, refOf }) => {
    const info = await workspace.create(request("one"));
    writeFiles(info.path, { "staged.txt": "staged", "both.txt": "first", "run.sh": "#!/bin/sh\n" });
    git(info.path, "add", "staged.txt", "both.txt");
    writeFiles(info.path, { "both.txt": "second", "new/untracked.bin": "\u0000\r\n\u0001" });
    chmodSync(join(info.path, "run.sh"), 0o755);
    symlinkSync("nowhere/at all", join(info.path, "link"));
    rmSync(join(info.path, "README.md"));
    const before = git(info.path, "status", "--porcelain", "-uall");
    const removed = await workspace.remove(refOf(info, request("one")));
    expect(removed.kind).toBe("removed");
    const again = await workspace.create(request("one", { generation: 2, restore: true }));
    expect(again).toMatchObject({ path: info.path, branch: info.branch, restoredFrom: "refs/ao/preserved/one/1" });
    expect(git(again.path, "status", "--porcelain", "-uall")).toBe(before);
    expect(readFileSync(join(again.path, "both.txt"), "utf8")).toBe("second");
    expect(git(again.path, "show", ":both.txt")).toBe("first");
    expect(readFileSync(join(again.path, "new/untracked.bin"), "latin1")).toBe("\u0000\r\n\u0001");
    expect(lstatSync(join(again.path, "run.sh")).mode & 0o111).toBe(0o111);
    expect(readlinkSync(join(again.path, "link"))).toBe("nowhere/at all");
  });

  fact("never overwrites an earlier save", async ({ workspace, tools, request, refOf }) => {
    const refs: (string | null)[] = [];
    for (const generation of [1, 2]) {
      const asked = request("one", { generation, restore: generation > 1 });
      const info = await workspace.create(asked);
      await tools.write(info.path, { [`work-${generation}.txt`]: `${generation}` });
      const outcome = await workspace.remove(refOf(info, asked));
      refs.push(outcome.kind === "removed" ? outcome.preservedRef : null);
    }
    expect(refs).toEqual(["refs/ao/preserved/one/1", "refs/ao/preserved/one/2"]);
    expect(tools.filesOf(refs[0]!)).toEqual(["README.md", "work-1.txt"]);
    expect(tools.filesOf(refs[1]!)).toEqual(["README.md", "work-1.txt", "work-2.txt"]);
  });

  fact("reports that there is nothing to restore", async ({ workspace, request }) => {
    const info = await workspace.create(request("one", { generation: 2, restore: true }));
    expect(info.restoredFrom).toBeNull();
    expect(info.notes.join(" ")).toMatch(/gone/);
  });

  fact("works with spaces, quotes, newlines and non-ASCII letters in names", async () => {
    const odd = ["a b.txt", "ünï/日本 'x' \"y\".txt", "line\nend.txt", "-dash", "*star?[1].txt", "tab\there"];
    const { workspace, request, refOf } = openWorkspaceFixture(create, { "kept file.txt": "0" }, "my 'pro ject\" ü");
    const info = await workspace.create(request("one"));
    for (const name of odd) writeFiles(info.path, { [name]: `content of ${name}` });
    git(info.path, "add", "--", "tab\there");
    const before = git(info.path, "status", "--porcelain", "-z", "-uall");
    expect((await workspace.remove(refOf(info, request("one")))).kind).toBe("removed");
    const again = await workspace.create(request("one", { generation: 2, restore: true }));
    expect(git(again.path, "status", "--porcelain", "-z", "-uall")).toBe(before);
    for (const name of odd) expect(readFileSync(join(again.path, name), "utf8")).toBe(`content of ${name}`);
    const diff = await workspace.diff(refOf(again, request("one")), again.baseCommit);
    expect(diff).toContain("+content of -dash");
  });
}

function describeKept(fact: Fact): void {
  const kept = (name: string, spoil: (path: string, repo: string) => void, reason: RegExp): void =>
    fact(`keeps the folder ${name}`, async ({ workspace, repo, request, refOf }) => {
      const info = await workspace.create(request("one"));
      spoil(info.path, repo);
      const before = git(info.path, "status", "--porcelain", "-uall");
      const outcome = await workspace.remove(refOf(info, request("one")));
      expect(outcome).toEqual({ kind: "kept", reason: expect.stringMatching(reason) });
      expect(git(info.path, "status", "--porcelain", "-uall")).toBe(before);
      expect(await workspace.inspect(refOf(info, request("one")))).toEqual({ kind: "ready" });
    });

  kept(
    "of a nested repository",
    (path) => {
      mkdirSync(join(path, "inner"));
      git(join(path, "inner"), "init", "-q");
    },
    /inner\/ is a separate repository/,
  );
  kept("of a merge with conflicts", (path, repo) => startConflict(path, repo, "merge"), /merge is in progress/);
  kept("of a rebase in progress", (path, repo) => startConflict(path, repo, "rebase"), /rebase is in progress/);
}

function startConflict(path: string, repo: string, how: "merge" | "rebase"): void {
  writeFiles(repo, { "README.md": "theirs\n" });
  git(repo, "commit", "-q", "-a", "-m", "theirs");
  writeFiles(path, { "README.md": "ours\n" });
  git(path, "commit", "-q", "-a", "-m", "ours");
  git(path, "fetch", "-q", repo, "main");
  expect(() => git(path, how, "FETCH_HEAD")).toThrow();
}

function describeMerged(fact: Fact): void {
  fact("shows committed, changed and untracked files in the diff", async ({ workspace, tools, request, refOf }) => {
    const info = await workspace.create(request("one"));
    await tools.write(info.path, { "committed.txt": "1\n" });
    await tools.commitAll(info.path, "work");
    await tools.write(info.path, { "README.md": "changed\n", "new.txt": "2\n" });
    const before = await tools.uncommitted(info.path);
    const diff = await workspace.diff(refOf(info, request("one")), info.baseCommit);
    expect(diff.match(/^diff --git .*$/gm)).toHaveLength(3);
    expect(await tools.uncommitted(info.path)).toEqual(before);
  });

  fact("deletes saved work only when asked to", async ({ workspace, tools, request, refOf }) => {
    const info = await workspace.create(request("one"));
    const ref = refOf(info, request("one"));
    expect(await workspace.dropPreserved(ref, false)).toEqual([]);
    await tools.write(info.path, { "work.txt": "1" });
    await workspace.remove(ref);
    const [state] = await workspace.dropPreserved(ref, true);
    expect(tools.commitOf(state?.ref ?? "")).toBe(state?.commit);
    expect(await workspace.dropPreserved(ref, false)).toEqual([state]);
    expect(tools.refs("refs/ao/")).toEqual([]);
    expect(tools.filesOf(state?.commit ?? "")).toContain("work.txt");
  });

  fact("deletes only a merged branch that is not checked out", async ({ workspace, tools, request, refOf }) => {
    const info = await workspace.create(request("one"));
    const ref = refOf(info, request("one"));
    await tools.write(info.path, { "work.txt": "1" });
    expect((await workspace.checkMerged(ref)).merged).toBe(false);
    await tools.commitAll(info.path, "work");
    expect((await workspace.checkMerged(ref)).merged).toBe(false);
    expect(await workspace.deleteBranch(ref)).toBe(false);
    await workspace.publish?.(ref);
    tools.merge("agent/one");
    expect((await workspace.checkMerged(ref)).merged).toBe(true);
    await workspace.remove(ref);
    expect(await workspace.deleteBranch(ref)).toBe(true);
    expect(tools.refs("refs/heads/agent/")).toEqual([]);
    expect((await workspace.checkMerged(ref)).merged).toBe(false);
  });
}
