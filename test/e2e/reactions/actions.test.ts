import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { makeLoop, toldTo } from "../../support/loop.ts";
import { until } from "../../support/until.ts";
import { commit, on, scenes } from "./scenes.ts";

// Red twice on what the agent wrote, so that the re-run before anybody hears of it does not help, and green from then on.
const FLAKY = '[ ! -e a.txt ] || { echo run >>"$AO_DIARY/runs"; [ "$(grep -c run "$AO_DIARY/runs")" -ge 3 ]; }';

const REACTIONS = {
  "ci-failed": { action: "rerun-ci", retries: 1 },
  "pr-opened": { action: "spawn-reviewer" },
  "check.finished": { action: "label", label: "checked", condition: "state == 'passed'" },
  "label-added": {
    auto: true,
    condition: "label == 'needs-tests'",
    action: "send-to-agent",
    message: "Please add tests for this change",
  },
  "label-removed": { action: "comment", message: "{{by}} removed {{label}}." },
  "changes-requested": { requireApprovalAfter: 0, message: "Reviewer requested: {{comments}}" },
  "pr-merged": { action: "run", run: 'echo "$AO_EVENT #$AO_PULL_REQUEST" >"$AO_DIARY/ran"' },
  "agent.asked": { action: "stop" },
};

it("takes every action of a rule: re-runs, reviews, labels, comments, asks before a message, runs commands, merges and stops", async () => {
  const fleet = await makeLoop({
    scripts: {
      1: scenes(
        on("task", "", commit("a.txt", "fine\n")),
        on("message", "add tests", [{ done: "There are some." }]),
        on("message", "Reviewer requested", commit("b.txt", "better\n")),
      ),
      2: scenes(on("task", "", [{ ask: { question: "Which color?", choices: ["blue", "red"] } }])),
      default: scenes(on("task", "Review", [{ done: "a.txt:1: say more" }])),
    },
    checks: { test: { run: FLAKY } },
    reactions: { ...REACTIONS, "review-commented": { action: "notify" } },
  });
  await fleet.open();
  const { id } = await fleet.begin("1", "All of it");
  const asking = await fleet.begin("2", "Asks");

  const green = await fleet.reach(
    1,
    "green",
    ({ checks, labels }) => checks[0]?.state === "passed" && labels.length > 0,
  );
  expect(green.checks[0]).toMatchObject({ attempt: 3 });
  expect(green.labels).toEqual(["checked"]);

  const reviewed = await fleet.reach(1, "reviewed", ({ threads }) => threads.length > 0);
  expect(reviewed.threads[0]?.comments[0]).toMatchObject({ author: "demo-review-1", text: "a.txt:1: say more" });
  await until("the reviewer to stop", async () => (await fleet.session("demo-review-1")).agentStatus === "stopped");

  await fleet.act(1, "labels", { add: ["needs-tests", "other"] });
  await until("the message", () => toldTo(fleet, id).length === 1);
  await fleet.act(1, "labels", { remove: ["other"] });
  const commented = await fleet.reach(1, "commented", ({ threads }) => threads.length === 2);
  expect(commented.threads[1]?.comments[0]?.text).toMatch(/ removed other\.$/);

  await fleet.act(1, "review", { verdict: "request-changes", author: "rita", body: "Say why" });
  const entry = await until("the inbox", async () => {
    const { body } = await fleet.api<{ data: readonly { id: string; actions: { action: string }[] }[] }>(
      "GET",
      "/api/inbox",
    );
    return body.data.find(({ actions }) => actions[0]?.action === "pass");
  });
  expect(toldTo(fleet, id)).toHaveLength(1);
  await fleet.write("POST", "/api/inbox/pass", { id: entry.id });
  await fleet.reach(1, "updated", ({ head, checks }) => head !== green.head && checks[0]?.state === "passed");

  await fleet.act(1, "review", { verdict: "approve", author: "rita" });
  await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
  const ran = join(fleet.dir, "diary", "ran");
  await until("the command", () => existsSync(ran) && readFileSync(ran, "utf8") === "pr-merged #1\n");
  await until("the branch to go", () => git(fleet.repo, "branch", "--list", "agent/issue-1") === "");
  await until("the asking one to stop", async () => (await fleet.session(asking.id)).agentStatus === "stopped");
});
