import { describe, expect, it } from "vitest";
import { CHECKING } from "./scm-checking.ts";
import { CLAIMING } from "./scm-claiming.ts";
import { EXACT } from "./scm-exact.ts";
import { MERGING } from "./scm-merging.ts";
import { OPENING, REMOTE } from "./scm-opening.ts";
import { QUEUEING } from "./scm-queueing.ts";
import type { Facts, ScmScene } from "./scm-scene.ts";
import { STACKING } from "./scm-stacking.ts";

interface ScmContract {
  /** Is it a remote forge? */
  readonly isRemote?: boolean;
  /** Can other people's pull requests be claimed? */
  readonly claims?: boolean;
  /** false: its checks run remotely, and it reports them. */
  readonly runsChecks?: boolean;
  readonly name: string;
  readonly create: () => ScmScene | Promise<ScmScene>;
  /** What this adapter cannot do, by test name, with the reason. */
  readonly skip?: readonly { readonly test: string; readonly reason: string }[];
}

const READING: Facts = {
  "counts the lines of a file in a commit, and returns null for anything else": async ({ scm, project, commit }) => {
    const head = await commit("agent/a", { "a.txt": "one\ntwo", "empty.txt": "", "dir/b.txt": "one\ntwo\n\n" });
    const count = (path: string): Promise<number | null> => scm.countLines(project, head, path);
    expect(await count("a.txt")).toBe(2);
    expect(await count("empty.txt")).toBe(0);
    expect(await count("dir/b.txt")).toBe(3);
    for (const path of ["none.txt", "dir", "", "../a.txt", "-a.txt"]) expect(await count(path), path).toBeNull();
  },
  "returns null for a missing branch": async ({ scm, project }) => {
    expect(await scm.readBranch(project, "agent/none", "main")).toBeNull();
    expect(await scm.readHead(project, "agent/none")).toBeNull();
    expect(await scm.readHead(project, "../../etc/passwd")).toBeNull();
  },
  "returns the commit of a branch": async ({ scm, project, commit }) => {
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
  "counts lines and files since a change left its base": async ({ scm, project, commit }) => {
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
  "reads files in the base, where a change left it, and in the change": async ({ scm, project, commit }) => {
    await commit("main", { "package.json": "{}\n", "web/a «b».txt": "1\n2" });
    const head = await commit("agent/a", { "package.json": null, "new.txt": "ü\n" });
    const base = await commit("main", { "package.json": "{ }\n" });
    const paths = ["package.json", "web/a «b».txt", "new.txt", "none", "web"];
    expect(await scm.readVersions(project, { head, base, paths })).toEqual([
      { path: "package.json", base: "{ }\n", before: "{}\n", after: null },
      { path: "web/a «b».txt", base: "1\n2", before: "1\n2", after: "1\n2" },
      { path: "new.txt", base: null, before: null, after: "ü\n" },
      { path: "none", base: null, before: null, after: null },
      { path: "web", base: null, before: null, after: null },
    ]);
  },
  "shows the diff of a change since it left its base": async ({ scm, project, commit }) => {
    const head = await commit("agent/a", { "a.txt": "new line\n" });
    await commit("main", { "m.txt": "of the base\n" });
    const diff = await scm.diff(project, head, "main");
    expect(diff).toContain("+new line");
    expect(diff).not.toContain("of the base");
  },
  "distinguishes a clean merge from a conflict, and names the files": async ({ scm, project, commit, read }) => {
    const clean = await commit("agent/clean", { "a.txt": "a\n" });
    const clash = await commit("agent/clash", { "m with space.txt": "mine\n" });
    const base = await commit("main", { "m with space.txt": "theirs\n" });
    expect(await scm.tryMerge(project, { head: clean, baseHead: base })).toEqual({ kind: "clean" });
    expect(await scm.tryMerge(project, { head: clash, baseHead: base })).toEqual({
      kind: "conflict",
      files: ["m with space.txt"],
    });
    expect(await read("main", "a.txt")).toBeNull();
  },
  "reports unknown for a commit that it does not have": async ({ scm, project }) => {
    const base = (await scm.readHead(project, "main")) ?? "";
    expect(
      (await scm.tryMerge(project, { head: "1234567890123456789012345678901234567890", baseHead: base })).kind,
    ).toBe("unknown");
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
      ...(contract.runsChecks === false ? {} : CHECKING),
      ...(contract.claims === true ? CLAIMING : {}),
      ...(contract.isRemote === true ? { ...REMOTE, ...QUEUEING } : { ...EXACT, ...STACKING }),
    })) {
      const reason = skipped.get(name);
      const run = async (): Promise<void> => fact(await contract.create());
      if (reason === undefined) it(name, run);
      else it.skip(`${name} (${reason})`, run);
    }
  });
}
