import { describe, expect, it } from "vitest";
import { createNodeHost } from "../../../platform/host.ts";
import { createSilentLog } from "../../../platform/log.ts";
import type { Host } from "../../../ports/host.ts";
import type { Scm } from "../../../ports/scm.ts";
import { git, writeFiles } from "../../../testing/git-repo.ts";
import { openScmBench, type ScmBench } from "../../../testing/scm-bench.ts";
import { tempDir } from "../../../testing/temp.ts";
import { localScm } from "./local.ts";

const FILES = { "README.md": "# sample\n", "a.txt": "a\n", "dir/b.txt": "b\n", ".gitignore": "ignored*\n" };

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

function open(): ScmBench {
  return openScmBench(make, { files: FILES });
}

describe("the commit of a merge", () => {
  it("has title, number, body, authors and the change's name, with no identity on the machine", async () => {
    const bench = open();
    git(bench.repo, "config", "--unset", "user.name");
    git(bench.repo, "config", "--unset", "user.email");
    const by = (name: string, message: string): void => {
      const side = bench.side;
      writeFiles(side, { [`${name}-${message.length}.txt`]: message });
      git(side, "add", "-A");
      git(side, "-c", "core.editor=true", "commit", "-q", "-m", message, `--author=${name} <${name}@example.com>`);
      git(bench.repo, "update-ref", "refs/heads/agent/1", git(side, "rev-parse", "HEAD").trim());
    };
    by("Ada", "one");
    by("Ada", "three\n\nCo-authored-by: Robot <robot@example.com>");
    by("Bob", "fourth");
    const base = await bench.request({}, { title: "Add\nthings", body: "Because.\n\n- a\r\n- b\0\n" });
    const home = tempDir();
    const host = createNodeHost({ log: createSilentLog() });
    const bare: Host = {
      ...host,
      exec: (request) =>
        host.exec({ ...request, env: { ...request.env, HOME: home, XDG_CONFIG_HOME: home, GIT_CONFIG_NOSYSTEM: "1" } }),
    };
    expect((await make(bare, "").merge(base)).kind).toBe("merged");
    expect(git(bench.repo, "log", "-1", "--format=%an <%ae>|%cn|%B", "main")).toBe(
      "Ada <Ada@example.com>|Test|Add things (#1)\n\nBecause.\n\n- a\n- b\n\n" +
        "Co-authored-by: Test <test@example.com>\nCo-authored-by: Bob <Bob@example.com>\n" +
        "Co-authored-by: Robot <robot@example.com>\nAo-Change: p/1\n\n",
    );
    expect(git(bench.repo, "log", "-1", "--format=%(trailers:key=Ao-Change,valueonly)", "main").trim()).toBe("p/1");
  });

  it("keeps the head of a squashed branch after the branch is gone", async () => {
    const bench = open();
    const request = await bench.request({ "a.txt": "new\n" });
    await bench.scm.merge(request);
    expect(await bench.scm.deleteBranch(bench.project, request.branch, request.head)).toEqual({
      deleted: true,
      reason: "",
    });
    expect(git(bench.repo, "rev-parse", "refs/ao/merged/1").trim()).toBe(request.head);
    expect(await bench.scm.merge(request)).toMatchObject({ kind: "merged" });
    expect((await bench.scm.reconcileMerge(request)).kind).toBe("done");
  });

  it("replays author, date and message of each commit, and leaves out what the base has already", async () => {
    const bench = open();
    await bench.commit("agent/1", { "a.txt": "shared\n" }, { message: "shared" });
    const request = await bench.request({ "n.txt": "n\n" }, { strategy: "rebase" });
    await bench.commit("main", { "a.txt": "shared\n" }, { message: "the same on main" });
    const before = git(bench.repo, "log", "-1", "--format=%an %ad %B", request.head);
    const answer = await bench.scm.merge(request);
    expect(await bench.history("main")).toEqual(["change agent/1", "the same on main", "first"]);
    expect(git(bench.repo, "log", "-1", "--format=%an %ad %B", "main")).toBe(before);
    const baseBefore = git(bench.repo, "rev-parse", "main^").trim();
    expect(answer).toEqual({ kind: "merged", commit: git(bench.repo, "rev-parse", "main").trim(), baseBefore });
    expect(await bench.scm.reconcileMerge(request)).toEqual({ kind: "done", value: answer });
  });

  it("replays a branch that merged its base, unless the merge settled something by hand", async () => {
    const bench = open();
    await bench.commit("agent/1", { "n.txt": "n\n" }, { message: "mine" });
    await bench.commit("main", { "a.txt": "theirs\n" }, { message: "theirs" });
    const side = bench.side;
    git(side, "checkout", "-q", "--detach", "agent/1");
    git(side, "merge", "-q", "--no-edit", "main");
    const clean = git(side, "rev-parse", "HEAD").trim();
    writeFiles(side, { "README.md": "settled\n" });
    git(side, "add", "-A");
    git(side, "commit", "-q", "--amend", "--no-edit");
    git(bench.repo, "update-ref", "refs/heads/agent/1", git(side, "rev-parse", "HEAD").trim());
    const request = await bench.request({ "o.txt": "o\n" }, { strategy: "rebase" });
    expect(await bench.scm.merge(request)).toEqual({ kind: "conflict", files: ["README.md"] });
    git(bench.repo, "update-ref", "refs/heads/agent/1", clean);
    expect((await bench.scm.merge({ ...request, head: clean })).kind).toBe("merged");
    expect(await bench.history("main")).toEqual(["mine", "theirs", "first"]);
  });

  it("keeps commits that already stand on the base as they are", async () => {
    const bench = open();
    const request = await bench.request({ "n.txt": "n\n" }, { strategy: "rebase" });
    expect(await bench.scm.merge(request)).toMatchObject({ kind: "merged", commit: request.head });
  });

  it("says merged of a head that the base contains already", async () => {
    const bench = open();
    const head = git(bench.repo, "rev-parse", "main").trim();
    git(bench.repo, "branch", "agent/1");
    const request = { ...(await bench.request({}, { number: 2 })), number: 1, branch: "agent/1", head };
    expect(await bench.scm.merge(request)).toEqual({ kind: "merged", commit: head, baseBefore: head });
  });
});
