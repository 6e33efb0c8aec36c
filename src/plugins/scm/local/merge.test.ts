import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Host } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { git, replaceObject, writeFiles } from "../../../testing/git-repo.ts";
import { openScmFixture, type ScmFixture } from "../../../testing/scm-fixture.ts";
import { tempDir } from "../../../testing/temp.ts";
import { localScm } from "./local.ts";

const FILES = { "README.md": "# sample\n", "a.txt": "a\n", "dir/b.txt": "b\n", ".gitignore": "ignored*\n" };

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

function open(): ScmFixture {
  return openScmFixture(make, { files: FILES });
}

describe("a merge of objects that somebody replaced", () => {
  it.each([
    ["a file", "agent/1:dir/app.py", "blob", "import os\n"],
    ["a folder", "agent/1:dir", "tree", ""],
  ] as const)("does not happen for %s, and says which", async (_, name, type, content) => {
    const fixture = open();
    const request = await fixture.request({ "dir/app.py": "print(1)\n" });
    const object = git(fixture.repo, "rev-parse", name).trim();
    replaceObject(fixture.repo, object, { type, content });
    const before = git(fixture.repo, "rev-parse", "main");
    expect(await fixture.scm.merge(request)).toMatchObject({
      kind: "waits",
      reason: expect.stringMatching(
        new RegExp(`object ${object.slice(0, 10)} does not have the content|cannot be read`),
      ),
    });
    expect(git(fixture.repo, "rev-parse", "main")).toBe(before);
  });

  it("does not happen when it was built before either", async () => {
    const fixture = open();
    const request = await fixture.request({ "dir/app.py": "print(1)\n" });
    const base = git(fixture.repo, "rev-parse", "main").trim();
    const commit = (await fixture.scm.buildMerges?.([request], { base, batch: 1 }))?.built[0]?.commit ?? "";
    const object = git(fixture.repo, "rev-parse", "agent/1:dir/app.py").trim();
    replaceObject(fixture.repo, object, { type: "blob", content: "import os\n" });
    const answer = await fixture.scm.merge({ ...request, exact: { base, commit } });
    expect(answer).toMatchObject({ kind: "waits", reason: expect.stringContaining(object.slice(0, 10)) });
    expect(git(fixture.repo, "rev-parse", "main").trim()).toBe(base);
  });
});

describe("the commit of a merge", () => {
  it("has title, number, body, authors and the change's name, with no identity on the machine", async () => {
    const fixture = open();
    git(fixture.repo, "config", "--unset", "user.name");
    git(fixture.repo, "config", "--unset", "user.email");
    const by = (name: string, message: string): void => {
      const side = fixture.side;
      writeFiles(side, { [`${name}-${message.length}.txt`]: message });
      git(side, "add", "-A");
      git(side, "-c", "core.editor=true", "commit", "-q", "-m", message, `--author=${name} <${name}@example.com>`);
      git(fixture.repo, "update-ref", "refs/heads/agent/1", git(side, "rev-parse", "HEAD").trim());
    };
    by("Ada", "one");
    by("Ada", "three\n\nCo-authored-by: Robot <robot@example.com>");
    by("Bob", "fourth");
    const base = await fixture.request({}, { title: "Add\nthings", body: "Because.\n\n- a\r\n- b\0\n" });
    const home = tempDir();
    const host = createNodeHost({ log: createSilentLog() });
    const bare: Host = {
      ...host,
      exec: (request) =>
        host.exec({ ...request, env: { ...request.env, HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_NOSYSTEM: "1" } }),
    };
    expect((await make(bare, "").merge(base)).kind).toBe("merged");
    expect(git(fixture.repo, "log", "-1", "--format=%an <%ae>|%cn|%B", "main")).toBe(
      "Ada <Ada@example.com>|Test|Add things (#1)\n\nBecause.\n\n- a\n- b\n\n" +
        "Co-authored-by: Test <test@example.com>\nCo-authored-by: Bob <Bob@example.com>\n" +
        "Co-authored-by: Robot <robot@example.com>\nAo-Change: p/1\n\n",
    );
    expect(git(fixture.repo, "log", "-1", "--format=%(trailers:key=Ao-Change,valueonly)", "main").trim()).toBe("p/1");
  });

  it("built in advance has the date of the request, or of its base if that is newer", async () => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    const base = git(fixture.repo, "rev-parse", "main").trim();
    const baseDate = Number(git(fixture.repo, "log", "-1", "--format=%ct", "main"));
    const dateOf = async (requestedAt: number): Promise<string> => {
      const answer = await fixture.scm.buildMerges?.([{ ...request, requestedAt }], { base, batch: 1 });
      return git(fixture.repo, "log", "-1", "--format=%at %ct", answer?.built[0]?.commit ?? "").trim();
    };
    expect(await dateOf(1000)).toBe(`${baseDate} ${baseDate}`);
    expect(await dateOf((baseDate + 60) * 1000 + 999)).toBe(`${baseDate + 60} ${baseDate + 60}`);
  });

  it("keeps the head of a squashed branch after the branch is gone", async () => {
    const fixture = open();
    const request = await fixture.request({ "a.txt": "new\n" });
    await fixture.scm.merge(request);
    expect(await fixture.scm.deleteBranch(fixture.project, request.branch, request.head)).toEqual({
      deleted: true,
      reason: "",
    });
    expect(git(fixture.repo, "rev-parse", "refs/ao/merged/1").trim()).toBe(request.head);
    expect(await fixture.scm.merge(request)).toMatchObject({ kind: "merged" });
    expect((await fixture.scm.reconcileMerge(request)).kind).toBe("done");
  });

  it("replays author, date and message of each commit, and omits what the base already has", async () => {
    const fixture = open();
    await fixture.commit("agent/1", { "a.txt": "shared\n" }, { message: "shared" });
    const request = await fixture.request({ "n.txt": "n\n" }, { strategy: "rebase" });
    await fixture.commit("main", { "a.txt": "shared\n" }, { message: "the same on main" });
    const before = git(fixture.repo, "log", "-1", "--format=%an %ad %B", request.head);
    const answer = await fixture.scm.merge(request);
    expect(await fixture.history("main")).toEqual(["change agent/1", "the same on main", "first"]);
    expect(git(fixture.repo, "log", "-1", "--format=%an %ad %B", "main")).toBe(before);
    const baseBefore = git(fixture.repo, "rev-parse", "main^").trim();
    expect(answer).toEqual({ kind: "merged", commit: git(fixture.repo, "rev-parse", "main").trim(), baseBefore });
    expect(await fixture.scm.reconcileMerge(request)).toEqual({ kind: "done", value: answer });
  });

  it("replays a branch that merged its base, unless the merge was resolved by hand", async () => {
    const fixture = open();
    await fixture.commit("agent/1", { "n.txt": "n\n" }, { message: "mine" });
    await fixture.commit("main", { "a.txt": "theirs\n" }, { message: "theirs" });
    const side = fixture.side;
    git(side, "checkout", "-q", "--detach", "agent/1");
    git(side, "merge", "-q", "--no-edit", "main");
    const clean = git(side, "rev-parse", "HEAD").trim();
    writeFiles(side, { "README.md": "settled\n" });
    git(side, "add", "-A");
    git(side, "commit", "-q", "--amend", "--no-edit");
    git(fixture.repo, "update-ref", "refs/heads/agent/1", git(side, "rev-parse", "HEAD").trim());
    const request = await fixture.request({ "o.txt": "o\n" }, { strategy: "rebase" });
    expect(await fixture.scm.merge(request)).toEqual({ kind: "conflict", files: ["README.md"] });
    git(fixture.repo, "update-ref", "refs/heads/agent/1", clean);
    expect((await fixture.scm.merge({ ...request, head: clean })).kind).toBe("merged");
    expect(await fixture.history("main")).toEqual(["mine", "theirs", "first"]);
  });

  it("keeps commits that are already on the base as they are", async () => {
    const fixture = open();
    const request = await fixture.request({ "n.txt": "n\n" }, { strategy: "rebase" });
    expect(await fixture.scm.merge(request)).toMatchObject({ kind: "merged", commit: request.head });
  });

  it("reports merged for a head that the base already contains", async () => {
    const fixture = open();
    const head = git(fixture.repo, "rev-parse", "main").trim();
    git(fixture.repo, "branch", "agent/1");
    const request = { ...(await fixture.request({}, { number: 2 })), number: 1, branch: "agent/1", head };
    expect(await fixture.scm.merge(request)).toEqual({ kind: "merged", commit: head, baseBefore: head });
  });
});
