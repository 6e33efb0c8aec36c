import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HostFs } from "../../ports/host.ts";
import type {
  ChangeRequest,
  CheckRequest,
  MergeRequest,
  PublishRequest,
  RemoteForge,
  Scm,
  ScmProject,
} from "../../ports/scm.ts";
import { tempDir } from "../temp.ts";

/** What the suite needs of a forge's world, fresh for each test. */
export interface ScmScene {
  readonly scm: Scm;
  /** Where its checks write. */
  readonly fs: HostFs;
  /** Its default branch is `main` and has at least one commit. */
  readonly project: ScmProject;
  /** Adds a commit to a branch, which starts at the tip of `from` (default main) when it is new; null deletes a file. */
  commit(branch: string, files: Readonly<Record<string, string | null>>, options?: CommitOptions): Promise<string>;
  /** A file at the tip of a branch; null when it is not there. */
  read(branch: string, path: string): Promise<string | null>;
  /** Subjects of a branch, newest first. */
  history(branch: string): Promise<readonly string[]>;
}

export interface CommitOptions {
  readonly message?: string;
  readonly from?: string;
}

interface ScmContract {
  /** Is it a forge elsewhere? */
  readonly isRemote?: boolean;
  readonly name: string;
  readonly create: () => ScmScene | Promise<ScmScene>;
  /** What this adapter cannot do, by the name of the test, with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

type Fact = (scene: ScmScene) => Promise<void>;

function aMerge(scene: ScmScene, branch: string, head: string, changes: Partial<MergeRequest> = {}): MergeRequest {
  const { project } = scene;
  return {
    project,
    number: 7,
    branch,
    base: "main",
    head,
    strategy: "squash",
    title: `Merge ${branch}`,
    body: "",
    ...changes,
  };
}

const READING: Readonly<Record<string, Fact>> = {
  "counts the lines of a file in a commit, and says null of what is no file": async ({ scm, project, commit }) => {
    const head = await commit("agent/a", { "a.txt": "one\ntwo", "empty.txt": "", "dir/b.txt": "one\ntwo\n\n" });
    const count = (path: string): Promise<number | null> => scm.countLines(project, head, path);
    expect(await count("a.txt")).toBe(2);
    expect(await count("empty.txt")).toBe(0);
    expect(await count("dir/b.txt")).toBe(3);
    for (const path of ["none.txt", "dir", "", "../a.txt", "-a.txt"]) expect(await count(path), path).toBeNull();
  },
  "says null of a branch that is not there": async ({ scm, project }) => {
    expect(await scm.readBranch(project, "agent/none", "main")).toBeNull();
    expect(await scm.readHead(project, "agent/none")).toBeNull();
    expect(await scm.readHead(project, "../../etc/passwd")).toBeNull();
  },
  "gives the commit of a branch": async ({ scm, project, commit }) => {
    const head = await commit("agent/a", { "a.txt": "a\n" });
    expect(await scm.readHead(project, "agent/a")).toBe(head);
    const next = await commit("agent/a", { "a.txt": "b\n" });
    expect(await scm.readHead(project, "agent/a")).toBe(next);
  },
  "counts and names the commits that the base lacks": async ({ scm, project, commit }) => {
    await commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    const head = await commit("agent/a", { "a.txt": "2\n" }, { message: "two: «ünïcödé»" });
    const baseHead = await commit("main", { "m.txt": "m\n" });
    expect(await scm.readBranch(project, "agent/a", "main")).toEqual({ head, baseHead, ahead: 2 });
    expect(await scm.readSubjects(project, "agent/a", "main")).toEqual(["two: «ünïcödé»", "one"]);
    expect(await scm.readSubjects(project, "agent/none", "main")).toEqual([]);
  },
  "counts lines and files against the commit at which a change left its base": async ({ scm, project, commit }) => {
    await commit("main", { "old.txt": "one\ntwo\nthree\n" });
    const head = await commit("agent/a", { "a.txt": "one\ntwo\n", "b with space.txt": "one\n", "old.txt": null });
    const base = await commit("main", { "m.txt": "of the base\n" });
    expect(await scm.countChanges(project, { head, base })).toEqual({
      ...{ added: 3, removed: 3, files: 3 },
      paths: ["a.txt", "b with space.txt", "old.txt"],
    });
    const nothing = { added: 0, removed: 0, files: 0, paths: [] };
    expect(await scm.countChanges(project, { head: base, base })).toEqual(nothing);
  },
  "shows a change against the commit at which it left its base": async ({ scm, project, commit }) => {
    const head = await commit("agent/a", { "a.txt": "new line\n" });
    await commit("main", { "m.txt": "of the base\n" });
    const diff = await scm.diff(project, head, "main");
    expect(diff).toContain("+new line");
    expect(diff).not.toContain("of the base");
  },
  "tells a clean merge from a conflict, and names the files": async ({ scm, project, commit, read }) => {
    const clean = await commit("agent/clean", { "a.txt": "a\n" });
    const clash = await commit("agent/clash", { "m with space.txt": "mine\n" });
    const base = await commit("main", { "m with space.txt": "theirs\n" });
    expect(await scm.tryMerge(project, clean, base)).toEqual({ kind: "clean" });
    expect(await scm.tryMerge(project, clash, base)).toEqual({ kind: "conflict", files: ["m with space.txt"] });
    expect(await read("main", "a.txt")).toBeNull();
  },
  "does not know whether a commit merges that it does not have": async ({ scm, project }) => {
    const base = (await scm.readHead(project, "main")) ?? "";
    expect((await scm.tryMerge(project, "1234567890123456789012345678901234567890", base)).kind).toBe("unknown");
  },
};

const MERGING: Readonly<Record<string, Fact>> = {
  "squashes a change into one commit": async (scene) => {
    await scene.commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    const head = await scene.commit("agent/a", { "b.txt": "2\n" }, { message: "two" });
    const before = await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    const answer = await scene.scm.merge(aMerge(scene, "agent/a", head, { title: "Add a and b" }));
    const commit = await scene.scm.readHead(scene.project, "main");
    expect(answer).toEqual({ kind: "merged", commit, baseBefore: before });
    expect((await scene.history("main")).slice(0, 2)).toEqual(["Add a and b (#7)", "of main"]);
    expect(await scene.read("main", "a.txt")).toBe("1\n");
    expect(await scene.read("main", "b.txt")).toBe("2\n");
    expect(await scene.read("main", "m.txt")).toBe("m\n");
  },
  "merges with a merge commit": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    const answer = await scene.scm.merge(aMerge(scene, "agent/a", head, { strategy: "merge" }));
    expect(answer.kind).toBe("merged");
    expect(await scene.history("main")).toEqual(expect.arrayContaining(["one", "of main"]));
    expect((await scene.scm.readBranch(scene.project, "agent/a", "main"))?.ahead).toBe(0);
  },
  "replays a change commit by commit": async (scene) => {
    await scene.commit("agent/a", { "a.txt": "1\n" }, { message: "one" });
    const head = await scene.commit("agent/a", { "a.txt": "2\n" }, { message: "two" });
    await scene.commit("main", { "m.txt": "m\n" }, { message: "of main" });
    const answer = await scene.scm.merge(aMerge(scene, "agent/a", head, { strategy: "rebase" }));
    expect(answer.kind).toBe("merged");
    expect((await scene.history("main")).slice(0, 3)).toEqual(["two", "one", "of main"]);
    expect(await scene.read("main", "a.txt")).toBe("2\n");
  },
  "does not merge a branch that has moved": async (scene) => {
    const asked = await scene.commit("agent/a", { "a.txt": "1\n" });
    const now = await scene.commit("agent/a", { "a.txt": "2\n" });
    const before = await scene.scm.readHead(scene.project, "main");
    expect(await scene.scm.merge(aMerge(scene, "agent/a", asked))).toEqual({ kind: "moved", head: now });
    expect(await scene.scm.merge(aMerge(scene, "agent/gone", asked))).toEqual({ kind: "moved", head: null });
    expect(await scene.scm.readHead(scene.project, "main")).toBe(before);
  },
  "does not merge a conflict, with any strategy, and names the files": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "mine\n" });
    const before = await scene.commit("main", { "a.txt": "theirs\n" });
    for (const strategy of ["squash", "merge", "rebase"] as const) {
      const answer = await scene.scm.merge(aMerge(scene, "agent/a", head, { strategy }));
      expect(answer).toEqual({ kind: "conflict", files: ["a.txt"] });
    }
    expect(await scene.scm.readHead(scene.project, "main")).toBe(before);
  },
  "merges once, however often it is asked": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = aMerge(scene, "agent/a", head);
    const first = await scene.scm.merge(request);
    const again = await scene.scm.merge(request);
    expect(again).toEqual(first);
    await scene.commit("main", { "later.txt": "l\n" }, { message: "later" });
    expect(await scene.scm.merge(request)).toEqual(first);
    expect((await scene.history("main")).filter((subject) => subject.endsWith("(#7)"))).toHaveLength(1);
  },
  "tells afterwards whether exactly this head was merged": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = aMerge(scene, "agent/a", head);
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "not-done" });
    const value = await scene.scm.merge(request);
    expect(await scene.scm.reconcileMerge(request)).toEqual({ kind: "done", value });
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    expect(await scene.scm.reconcileMerge({ ...request, head: next })).toEqual({ kind: "not-done" });
  },
  "merges several changes that come at once, one after the other": async (scene) => {
    const requests: MergeRequest[] = [];
    for (const number of [1, 2, 3, 4]) {
      const branch = `agent/${number}`;
      const head = await scene.commit(branch, { [`${number}.txt`]: "x\n" });
      requests.push(aMerge(scene, branch, head, { number, title: `Change ${number}` }));
    }
    const answers = await Promise.all(requests.map((request) => scene.scm.merge(request)));
    expect(answers.map(({ kind }) => kind)).toEqual(["merged", "merged", "merged", "merged"]);
    for (const { number } of requests) expect(await scene.read("main", `${number}.txt`)).toBe("x\n");
    expect((await scene.history("main")).filter((subject) => /\(#\d\)$/.test(subject))).toHaveLength(4);
  },
  "deletes a branch only where it was seen": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    await scene.scm.merge(aMerge(scene, "agent/a", head));
    const other = await scene.scm.readHead(scene.project, "main");
    expect((await scene.scm.deleteBranch(scene.project, "agent/a", other ?? "")).deleted).toBe(false);
    expect(await scene.scm.readHead(scene.project, "agent/a")).toBe(head);
    expect((await scene.scm.deleteBranch(scene.project, "agent/a", head)).deleted).toBe(true);
    expect(await scene.scm.readHead(scene.project, "agent/a")).toBeNull();
    expect((await scene.scm.deleteBranch(scene.project, "agent/a", head)).deleted).toBe(true);
  },
  "never deletes the default branch": async (scene) => {
    const head = (await scene.scm.readHead(scene.project, "main")) ?? "";
    expect((await scene.scm.deleteBranch(scene.project, "main", head)).deleted).toBe(false);
  },
};

function aCheck(scene: ScmScene, commit: string, run: string, changes: Partial<CheckRequest> = {}): CheckRequest {
  const folder = tempDir("ao-check-");
  return {
    project: scene.project,
    commit,
    check: "test",
    run,
    setup: null,
    timeoutMs: 30_000,
    folder,
    intentId: `contract/${folder}`,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    ...changes,
  };
}

const always = (): boolean => true;

const CHECKING: Readonly<Record<string, Fact>> = {
  "passes a check that ends with 0, and shows its log": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "content\n" });
    const answer = await scene.scm.runCheck(aCheck(scene, commit, "cat a.txt; echo to stderr >&2"), always);
    expect(answer).toMatchObject({ kind: "passed", log: "content\nto stderr" });
  },
  "fails a check with its exit code and log": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "content\n" });
    const answer = await scene.scm.runCheck(aCheck(scene, commit, "echo 'expected 1, got 2'; exit 3"), always);
    expect(answer).toMatchObject({ kind: "failed", code: 3, log: "expected 1, got 2" });
  },
  "checks exactly the commit that was asked for, in a clean checkout": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "old\n" });
    await scene.commit("agent/a", { "a.txt": "new\n" });
    const run = 'cat a.txt && git rev-parse HEAD && test -z "$(git status --porcelain --ignored)"';
    const answer = await scene.scm.runCheck(aCheck(scene, commit, run), always);
    expect(answer).toMatchObject({ kind: "passed", log: `old\n${commit}` });
  },
  "leaves no checkout behind": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, commit, "pwd >$HOME/where; mkdir made; touch made/file; chmod 500 made");
    expect((await scene.scm.runCheck(request, always)).kind).toBe("passed");
    const where = (await scene.fs.readText(join(request.folder, "where"))) ?? "";
    expect(await scene.fs.stat(where.trim())).toBeNull();
  },
  "says of a failed set-up that the check was not tried": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, commit, "touch $HOME/tried", { setup: "echo no such package; exit 4" });
    const answer = await scene.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "setup-failed", log: "no such package" });
    expect(await scene.fs.stat(join(request.folder, "tried"))).toBeNull();
  },
  "ends a check at its time limit": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const answer = await scene.scm.runCheck(
      aCheck(scene, commit, "echo begun; sleep 1000", { timeoutMs: 500 }),
      always,
    );
    expect(answer.kind).toBe("timed-out");
    expect("log" in answer ? answer.log : "").toContain("begun");
  },
  "ends a check that is not wanted any more": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, commit, "touch $HOME/begun; sleep 1000");
    const answer = await scene.scm.runCheck(request, () => !existsSync(join(request.folder, "begun")));
    expect(answer.kind).toBe("cancelled");
  },
  "runs an attempt once, however often it is asked for": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, commit, "echo run >>$HOME/count; exit 1");
    const [first, second] = await Promise.all([
      scene.scm.runCheck(request, always),
      scene.scm.runCheck(request, always),
    ]);
    expect(second).toEqual(first);
    expect(await scene.scm.runCheck(request, always)).toEqual(first);
    expect(await scene.fs.readText(join(request.folder, "count"))).toBe("run\n");
  },
};

function aRequest(scene: ScmScene, branch: string, head: string, after: number): ChangeRequest {
  return { project: scene.project, branch, base: "main", head, title: "Add a", body: "", after };
}

const OPENING: Readonly<Record<string, Fact>> = {
  "opens a pull request once, however often it is asked": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const request = aRequest(scene, "agent/a", head, 0);
    const first = await scene.scm.ensureChange(request);
    expect(first.number).toBeGreaterThan(0);
    expect(await scene.scm.ensureChange(request)).toEqual(first);
  },
  "gives every branch a pull request of its own": async (scene) => {
    const one = await scene.commit("agent/a", { "a.txt": "1\n" });
    const other = await scene.commit("agent/b", { "b.txt": "1\n" });
    const first = await scene.scm.ensureChange(aRequest(scene, "agent/a", one, 0));
    const second = await scene.scm.ensureChange(aRequest(scene, "agent/b", other, first.number));
    expect(second.number).toBeGreaterThan(first.number);
  },
  "opens another pull request for a branch whose first one is merged": async (scene) => {
    const head = await scene.commit("agent/a", { "a.txt": "1\n" });
    const first = await scene.scm.ensureChange(aRequest(scene, "agent/a", head, 0));
    await scene.scm.merge(aMerge(scene, "agent/a", head, { number: first.number, strategy: "merge" }));
    const next = await scene.commit("agent/a", { "a.txt": "2\n" });
    const second = await scene.scm.ensureChange(aRequest(scene, "agent/a", next, first.number));
    expect(second.number).toBeGreaterThan(first.number);
  },
  "opens none for a branch that is not there": async (scene) => {
    const head = (await scene.scm.readHead(scene.project, "main")) ?? "";
    await expect(scene.scm.ensureChange(aRequest(scene, "agent/gone", head, 0))).rejects.toThrow("agent/gone");
  },
};

async function openOnForge(
  scene: ScmScene,
): Promise<{ readonly remote: RemoteForge; readonly request: PublishRequest }> {
  const { remote } = scene.scm;
  if (remote === undefined) throw new Error("this forge is not elsewhere");
  const head = await scene.commit("agent/a", { "a.txt": "1\n" });
  const { number } = await scene.scm.ensureChange(aRequest(scene, "agent/a", head, 0));
  return { remote, request: { project: scene.project, number, branch: "agent/a", head, published: head } };
}

/** For forges elsewhere only. */
const REMOTE: Readonly<Record<string, Fact>> = {
  "shows an open pull request at the commit that was pushed": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const [seen, ...others] = await remote.readChanges(scene.project, [request, { number: 999, head: request.head }]);
    expect(seen).toMatchObject({ number: request.number, state: "open", head: request.head });
    expect(others).toEqual([]);
  },
  "takes a newer commit, and the same one again": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const head = await scene.commit("agent/a", { "a.txt": "2\n" });
    for (let time = 0; time < 2; time += 1) {
      expect(await remote.publish({ ...request, head })).toEqual({ kind: "published" });
    }
    const [seen] = await remote.readChanges(scene.project, [request]);
    expect(seen?.head).toBe(head);
  },
  "does not lose a commit that ao did not push": async (scene) => {
    const { remote, request } = await openOnForge(scene);
    const head = await scene.commit("agent/b", { "b.txt": "2\n" });
    expect(await remote.publish({ ...request, head, published: null })).toEqual({
      kind: "diverged",
      head: request.head,
    });
  },
};

/** The facts that hold for every forge; each adapter and each fake runs them. */
export function describeScmContract(contract: ScmContract): void {
  const skipped = new Map((contract.skip ?? []).map(({ test, reason }) => [test, reason]));
  describe(`the scm ${contract.name}`, () => {
    for (const [name, fact] of Object.entries({
      ...READING,
      ...OPENING,
      ...MERGING,
      ...CHECKING,
      ...(contract.isRemote === true ? REMOTE : {}),
    })) {
      const reason = skipped.get(name);
      const run = async (): Promise<void> => fact(await contract.create());
      if (reason === undefined) it(name, run);
      else it.skip(`${name} (${reason})`, run);
    }
  });
}
