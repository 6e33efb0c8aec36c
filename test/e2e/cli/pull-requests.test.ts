import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { InboxView } from "../../../src/protocol/views/inbox.ts";
import type { PullRequestDetailView, PullRequestView } from "../../../src/protocol/views/pull-request.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { until, untilSeen } from "../../support/until.ts";
import { expectRefusal } from "./picture.ts";
import { makeTeam, subjects } from "./team.ts";

it("a person takes a pull request from a failed check through a review to its merge", async () => {
  const { repo, shell, pull, untilStatus } = await makeTeam();
  await shell.ok("new", "Add a sum");
  expect(await shell.ok("wait", "web-add", "--for", "pr", "--timeout", "60s")).toMatch(/^web-add-a-sum: #1 /);

  const first = await untilStatus("web-add", "review-pending");
  expect(subjects(repo, "agent/add-a-sum").slice(0, 2)).toEqual(["Fix the sum", "Add a sum"]);
  expect(first).toMatchObject({
    key: "web/1",
    checks: [{ name: "unit", state: "passed", required: true }],
    problems: [],
  });
  expect(await shell.ok("pr", "show", "1", "--log", "unit")).toBe("the sum is right\n");
  expect(await shell.ok("pr", "list")).toMatch(/web\/1 +review-pending +1\/1 +web-add-a-sum +Add a sum/);
  expect(await shell.ok("list")).toMatch(/web-add-a-sum +review-pending .*#1 1\/1/);
  expect(await shell.ok("status", "web-add")).toMatch(
    /agent +rehearsal \(process\), idle[\s\S]*pr +#1 review-pending[\s\S]*checks +unit passed/,
  );
  expect(await shell.ok("inbox")).toMatch(/web-add-a-sum review[\s\S]*ao review web-add-a-sum/);
  expectRefusal("merge", await shell.ao("merge", "web-add"), /cannot be merged: needs 1 approval/);

  const shown = await shell.ok("review", "web-add");
  expect(shown).toMatch(/unit[\s\S]*\+a \+ b/);
  for (const [comment, refusal] of [
    ["nofile.txt:1:x", /no file nofile\.txt in #1[\s\S]*hint: .*ao pr diff/],
    ["sum.txt:99:x", /sum\.txt has 1 line in #1 .*no line 99/],
  ] as const) {
    const refused = await shell.ao("review", "#1", "--comment", comment);
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(refusal) });
  }
  const asked = ["--request-changes", "Write notes", "--comment", "sum.txt:1:which sum is this?"];
  expect(await shell.ok("review", "#1", ...asked)).toMatch(/^requested changes on #1 \([0-9a-f]{10}\)\n$/);
  const second = await until("the agent's next commit", async () => {
    const now = await pull("web-add");
    return now.head !== first.head && now.checks.every(({ state }) => state === "passed") ? now : null;
  });
  expect(second).toMatchObject({
    status: "changes-requested",
    threads: [{ path: "sum.txt", line: 1, resolvedBy: null }],
  });
  const notes = git(repo, "show", `${second.head}:notes.txt`);
  expect(notes).toContain("Write notes");
  expect(notes).toContain("sum.txt:1: which sum is this?");
  await untilSeen("the inbox to ask again", async () =>
    (await shell.ok("inbox")).includes("there is a new commit since"),
  );

  expectRefusal("approve", await shell.ao("approve", "1", "--head", first.head.slice(0, 8)), /has moved to/);
  expect(await shell.ok("approve", "1", "--head", second.head.slice(0, 8))).toMatch(/^approved #1 \(/);
  expect((await pull("1")).approvals).toEqual([git(repo, "config", "user.name").trim()]);
  await untilStatus("1", "mergeable");
  expect(await shell.ok("inbox")).toMatch(/it is approved and green[\s\S]*ao merge web-add-a-sum/);
  const before = git(repo, "rev-parse", "main").trim();
  expect(await shell.ok("merge", "web-add")).toMatch(/^merged #1 as [0-9a-f]{10}\n$/);
  expect(await shell.ok("wait", "web-add", "--for", "merged")).toBe("web-add-a-sum: #1 merged\n");

  expect(readFileSync(join(repo, "sum.txt"), "utf8")).toBe("a + b\n");
  expect(git(repo, "status", "--porcelain")).toBe("");
  expect(git(repo, "rev-parse", "main^").trim()).toBe(before);
  await shell.ok("wait", "web-add", "--for", "stopped", "--timeout", "30s");
  expect(await shell.ok("list", "--all")).toMatch(/web-add-a-sum +merged .*#1 merged/);
  expect(await shell.ok("inbox")).toBe("Inbox is empty\n");
  expect(await shell.ok("pr", "diff", "1")).toContain("+a + b");
  const timeline = await shell.ok("logs", "web-add", "--timeline");
  expect(timeline).toMatch(
    /worktree ready[\s\S]*pull request #1 opened[\s\S]*check `unit` failed[\s\S]*requested changes[\s\S]*approved[\s\S]*merged/,
  );
  expectRefusal("approve", await shell.ao("approve", "1"), /#1 is merged/);
});

it("a problem the agent cannot fix stays in the inbox, with what was tried, until dismissed", async () => {
  const { shell, pull } = await makeTeam({ hopeless: true });
  await shell.ok("new", "hopeless");
  const escalated = (): Promise<InboxView> =>
    until("somebody to be told", async () => {
      const { data } = await shell.json<{ data: readonly InboxView[] }>("inbox");
      return data.find(({ kind }) => kind === "ci-failed");
    });
  const item = await escalated();
  expect(item).toMatchObject({
    id: "web/1/ci-failed:unit",
    pullRequest: "web/1",
    actions: expect.arrayContaining([expect.objectContaining({ action: "log", pullRequest: "web/1", check: "unit" })]),
  });
  expect(item.text).toMatch(/^#1 hopeless: check `unit` failed with exit code 1 on \w+; 2 messages did not help$/);
  expect(await shell.ok("pr", "show", "web-hopeless", "--log", "unit")).toBe("the sum is wrong:\na - b\n");
  expect(await shell.ok("status", "web-hopeless")).toMatch(
    /problem +check `unit` failed.*2 sent to the agent; needs you/,
  );

  expect(await shell.ok("ack", "web/1/ci")).toBe("dismissed web/1/ci-failed:unit\n");
  expect(await shell.ok("inbox")).toBe("Inbox is empty\n");
  expectRefusal("ack", await shell.ao("ack", "web/2/ci"), /The inbox has no item "web\/2\/ci"/);

  await shell.ok("pr", "rerun", "web-hopeless", "unit");
  // The second one was before anybody heard of it.
  await until("the third attempt", async () => {
    const { checks } = await pull("1");
    return checks[0]?.attempt === 3 && checks[0].state === "failed";
  });
  expectRefusal("pr rerun", await shell.ao("pr", "rerun", "1", "lint"), /No such check[\s\S]*hint: .*unit/);
  expect(await shell.ok("pr", "close", "1", "--reason", "hopeless indeed")).toBe("closed #1\n");
  expect(await shell.ok("pr", "list")).toMatch(/^no open pull requests/);
  expect((await shell.json<{ data: readonly PullRequestView[] }>("pr", "list", "--state", "closed")).data).toHaveLength(
    1,
  );
});

it("a merge waits while a person edits the same files or ao is paused, and can be cancelled meanwhile", async () => {
  const { repo, shell, untilStatus } = await makeTeam({
    project: { policies: { approvals: 0, blockLabels: ["hold"] } },
  });
  await shell.ok("new", "fine");
  await untilSeen("a pull request", async () => (await shell.ok("pr", "list")).includes("web/1"));
  expect(await shell.ok("pr", "label", "1", "--add", "hold")).toBe("#1 has hold\n");
  await untilStatus("1", "blocked");
  expectRefusal("merge", await shell.ao("merge", "1"), /label `hold`/);
  await shell.ok("pr", "label", "1", "--remove", "hold");
  await untilStatus("1", "mergeable");

  writeFileSync(join(repo, "sum.txt"), "mine\n");
  const waiting = await shell.ao("merge", "1", "--strategy", "merge");
  expectRefusal("merge", waiting, /#1 is not merged: .*sum\.txt[\s\S]*hint: .*automatically/);
  expect(readFileSync(join(repo, "sum.txt"), "utf8")).toBe("mine\n");
  expect(await shell.ok("merge", "--cancel", "web-fine")).toBe("cancelled the merge of #1\n");
  expectRefusal("merge", await shell.ao("merge", "1", "--cancel"), /No merge of #1 is requested/);
  git(repo, "checkout", "--", "sum.txt");
  await shell.ok("pause");
  const held = await shell.ao("merge", "1", "--strategy", "merge");
  expectRefusal("merge", held, /#1 is not merged: paused; `ao resume` continues/);
  await shell.ok("resume");
  expect(await shell.ok("wait", "web-fine", "--for", "merged", "--timeout", "60s")).toBe("web-fine: #1 merged\n");
  expect(readFileSync(join(repo, "sum.txt"), "utf8")).toBe("a + b\n");
  expect(git(repo, "rev-list", "--parents", "-1", "main").trim().split(" ")).toHaveLength(3);
});

it("a session without commits has no pull request, and says how to get one", async () => {
  const { shell } = await makeTeam({ project: { openPullRequest: "agent" } });
  await shell.ok("new", "nothing");
  await shell.ok("wait", "web-nothing", "--for", "idle");
  for (const command of ["review", "approve", "merge"]) {
    expectRefusal(
      command,
      await shell.ao(command, "web-nothing"),
      /web-nothing has no pull request[\s\S]*ao pr open web-nothing/,
    );
  }
  expectRefusal("pr open", await shell.ao("pr", "open", "web-nothing"), /no commit that main lacks/);
  expectRefusal("pr show", await shell.ao("pr", "show", "#7"), /no pull request #7 in web/);
  expectRefusal("pr show", await shell.ao("pr", "show", "web/7"), /no pull request web\/7/);

  await shell.ok("new", "fine");
  await shell.ok("wait", "web-fine", "--for", "idle");
  expect((await shell.json<SessionDetailView>("status", "web-fine")).pullRequests).toEqual([]);
  const opened = await shell.json<PullRequestDetailView>(
    "pr",
    "open",
    "web-fine",
    "--title",
    "My own title",
    "--body",
    "Why",
  );
  expect(opened).toMatchObject({ key: "web/1", title: "My own title", body: "Why", sessionId: "web-fine" });
  expect(await shell.ok("pr", "open", "web-fine")).toBe("#1 is open: My own title\n");
});
