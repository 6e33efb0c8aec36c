import { expect, it } from "vitest";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { isDelivery } from "../../support/judge.ts";
import { until } from "../../support/until.ts";
import { makeForgeLoop } from "../forge/forge-loop.ts";
import { startLoopGithub } from "../forge/loop-github.ts";
import { again, commit, on, scenes } from "../reactions/scenes.ts";

const POINTS = 500;

it("sends each of the 500 comments of a review on GitHub to the agent once, and then asks the reviewer again", async () => {
  const forge = await startLoopGithub();
  const { there } = forge;
  const script = scenes(
    on("task", "", commit("search.txt", "first\n")),
    on("message", "requested changes", again("search.txt", "better\n")),
  );
  const { fleet } = await makeForgeLoop(forge, { default: script });
  const { body: session } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { prompt: "Search" }, "new");
  await until("the pull request", () => there.record.pulls.size === 1);
  const comments = Array.from({ length: POINTS }, (_, at) => {
    return { path: "search.txt", line: 1, body: `Point-${at + 1}: this has to be ${"very ".repeat(at % 40)}clear.` };
  });
  await there.review(1, { state: "CHANGES_REQUESTED", comments });
  const passed = new Set<string>();
  await until("another review to be asked for", () => {
    const { head, reviewers } = there.pull(1);
    if (!passed.has(head)) there.checks.pass(1, "build");
    passed.add(head);
    return reviewers.length > 0;
  });

  const messages = fleet.diary(session.id).filter(isDelivery).slice(1);
  const points = messages.flatMap(({ text = "" }) => text.match(/Point-\d+/g) ?? []);
  expect(points).toEqual(comments.map(({ body }) => body.split(":")[0]));
  const [first] = messages;
  expect(first?.text).toMatch(/Points 1 to \d+ of 500; \d+ more messages follow\./);
  const view = await fleet.pullRequest(1);
  expect(view.problems).toEqual([]);
});
