import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { readTold } from "../../support/judge-loop.ts";
import { type LoopFleet, makeLoop, toldTo } from "../../support/loop.ts";
import { until } from "../../support/until.ts";
import { commit, on, redHeads, scenes } from "./scenes.ts";

// Each test has its own daemon, agent and checks, which are slow on a busy machine.
const FINE = { default: scenes(on("task", "", commit("a.txt", "fine\n"))) };
const APPROVE = { verdict: "approve", author: "rita" };

async function stopped(fleet: LoopFleet, id: string): Promise<void> {
  await until(`${id} to be stopped`, async () => (await fleet.session(id)).agentStatus === "stopped");
}

describe("approved and green", () => {
  it("is merged, and the worktree, the branch, the issue and the session are cleaned up; nothing uncommitted is lost", async () => {
    const fleet = await makeLoop({ scripts: FINE });
    await fleet.open();
    const { id } = await fleet.begin("1", "All the way");
    await fleet.reach(1, "green", ({ status }) => status === "review-pending");
    const folder = (await fleet.session(id)).workspacePath ?? "";
    writeFileSync(join(folder, "notes.md"), "not committed\n");
    await fleet.act(1, "review", APPROVE);
    await stopped(fleet, id);
    await until("the branch to go", () => git(fleet.repo, "branch", "--list", "agent/*") === "");
    expect(existsSync(folder)).toBe(false);
    expect(git(fleet.repo, "log", "-1", "--format=%s|%an|%(trailers:key=Ao-Change,valueonly)", "main").trim()).toBe(
      "All the way (#1)|Test|demo/1",
    );
    expect(readFileSync(join(fleet.repo, "a.txt"), "utf8")).toBe("fine\n");
    expect(git(fleet.repo, "status", "--porcelain")).toBe("");
    expect(git(fleet.repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
    await until("the issue to be closed", () =>
      readFileSync(join(fleet.repo, ".ao/issues/1-task.md"), "utf8").includes("state: closed"),
    );
    const preserved = git(fleet.repo, "for-each-ref", "--format=%(refname)", "refs/ao/preserved").trim();
    expect(git(fleet.repo, "ls-tree", "-r", "--name-only", preserved)).toContain("notes.md");
  });

  it("notifies a person with `auto: false`, and merges when they ask", async () => {
    const fleet = await makeLoop({
      scripts: FINE,
      reactions: { "approved-and-green": { auto: false, priority: "urgent", deleteAfter: true } },
    });
    await fleet.open();
    const { id } = await fleet.begin("1", "By hand");
    await fleet.reach(1, "green", ({ status }) => status === "review-pending");
    await fleet.act(1, "review", APPROVE);
    await until("the notice", () => fleet.hook.notices().some(({ key }) => key === "approved-and-green"));
    expect(await fleet.pullRequest(1)).toMatchObject({ phase: "open", status: "mergeable", mergeRequest: null });
    await fleet.act(1, "merge", {});
    await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
    await stopped(fleet, id);
  });
});

describe("a pause", () => {
  it("holds messages and merges until it is resumed", async () => {
    const fleet = await makeLoop({
      scripts: {
        1: scenes(on("task", "", commit("a.txt", "fine\n"))),
        2: scenes(
          on("task", "", commit("b.txt", "WRONG\n")),
          on("message", "exit code 1 ", commit("b.txt", "right\n")),
        ),
      },
    });
    const release = fleet.holdChecks();
    await fleet.open();
    await fleet.begin("1", "One");
    await fleet.reach(1, "checked", ({ checks }) => checks[0]?.state === "running");
    const { id } = await fleet.begin("2", "Two");
    await fleet.reach(2, "checked", ({ checks }) => checks[0]?.state === "running");
    await fleet.write("POST", "/api/pause", {});
    await fleet.act(1, "review", APPROVE);
    release();
    await fleet.reach(1, "green", ({ checks }) => checks[0]?.state === "passed");
    await fleet.reach(2, "red", ({ status }) => status === "ci-failed");
    // Once another daemon has looked at everything, anything automatic would have happened.
    await fleet.kill();
    await fleet.start();
    expect((await fleet.pullRequest(1)).phase).toBe("open");
    expect(toldTo(fleet, id)).toEqual([]);
    expect((await fleet.session(id)).messages).toHaveLength(1);
    await fleet.write("POST", "/api/resume", {});
    await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
    await fleet.reach(2, "green", ({ status }) => status === "review-pending");
    expect(toldTo(fleet, id).map(readTold)).toMatchObject([{ about: "check", attempt: 1 }]);
    expect(redHeads(fleet)).toHaveLength(1);
  });
});

describe("a person", () => {
  it("is notified at once when an agent asks", async () => {
    const ask = { question: "Which color?", choices: ["blue", "red"] };
    const fleet = await makeLoop({ scripts: { default: scenes(on("task", "", [{ ask }, { done: "Thanks." }])) } });
    await fleet.open();
    const { id } = await fleet.begin("1", "Asks");
    const notice = await until("the notice", () => fleet.hook.notices().find(({ key }) => key === "agent-needs-input"));
    expect(notice).toMatchObject({ priority: "urgent", sessionId: id });
    expect(notice.title).toContain("Which color?");
  });

  it("opens the pull request, or the agent does, when `openPullRequest: agent`", async () => {
    const fleet = await makeLoop({
      scripts: { default: scenes(on("task", "", commit("a.txt", "fine\n")), on("message", "hello", [{ done: "" }])) },
      project: { openPullRequest: "agent" },
    });
    await fleet.open();
    const { id } = await fleet.begin("1", "Not by itself");
    await until("the agent to be done", async () => (await fleet.session(id)).agentStatus === "idle");
    await fleet.write("POST", `/api/sessions/${id}/message`, { content: "hello" });
    await until("another turn", () => toldTo(fleet, id).length === 1);
    expect(await fleet.pullRequests()).toEqual([]);
    const opened = await fleet.write("POST", `/api/sessions/${id}/pull-request`, {});
    expect(opened.status, JSON.stringify(opened.body)).toBeLessThan(300);
    await fleet.reach(1, "green", ({ status }) => status === "review-pending");
  });

  it("who stops a session keeps its branch and its open pull request, which can still be merged", async () => {
    const fleet = await makeLoop({ scripts: FINE });
    await fleet.open();
    const { id } = await fleet.begin("1", "Stopped");
    const { head } = await fleet.reach(1, "green", ({ status }) => status === "review-pending");
    await fleet.write("DELETE", `/api/sessions/${id}`);
    await stopped(fleet, id);
    expect(git(fleet.repo, "rev-parse", "agent/issue-1").trim()).toBe(head);
    expect(await fleet.pullRequest(1)).toMatchObject({ phase: "open", head });
    await fleet.act(1, "review", APPROVE);
    await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
    expect(git(fleet.repo, "show", "main:a.txt")).toBe("fine\n");
  });
});
