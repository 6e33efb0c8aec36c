import { expect, it } from "vitest";
import { renderExplanation } from "../src/cli/commands/merge.ts";
import { renderPullRequest } from "../src/cli/views/pull-request-view.ts";
import { style } from "../src/cli/views/style.ts";
import { toPullRequestDetail } from "../src/server/pull-request-views.ts";
import { aCheckRule, aPolicy, aRule } from "../src/testing/change-builders.ts";
import { openActionsBed, PULL_REQUEST, SESSION } from "./support/actions-bed.ts";
import { readOutput, withoutChance } from "./support/docs-output.ts";

it("a merge is proven by what was recorded with it, whatever the rules are later", async () => {
  const policy = aPolicy({
    checks: { unit: aCheckRule({ run: "cat made.txt", setup: "" }) },
    train: { batch: 1 },
    reactions: { "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash" }) },
  });
  const { bed, actions, until } = await openActionsBed({ prompt: "!commit made.txt", policy });
  const world = bed.engine.loop.world.view;
  const change = () => world.change(PULL_REQUEST) ?? expect.unreachable("there is no pull request");
  await until("the check", () => world.change(PULL_REQUEST)?.checks["unit"]?.state === "passed");
  const usage = { kind: "usage", inputTokens: 8100, outputTokens: 900, costUsd: 1.42 } as const;
  await bed.submit({ type: "run.signals", sessionId: SESSION, run: 1, signals: [usage] });
  await actions.pullRequests.review(PULL_REQUEST, { verdict: "approve" }, {});
  await until("the merge", () => change().phase === "merged");
  const stricter = aPolicy({ merging: { approvals: 5 } });
  await bed.submit({ type: "project.policy", id: "demo", policy: stricter });

  const detail = await toPullRequestDetail(change(), world, async () => "");
  const shown = renderPullRequest(detail, style({}));
  const from = shown.findIndex((line) => line.startsWith("  merged"));
  const proof = shown.slice(from, shown.indexOf("", from));
  expect(proof.map(withoutChance)).toEqual(readOutput("docs/user/pull-requests.md", "ao pr show my-app/1"));
});

it("what keeps a pull request from merging is explained rule by rule, as the docs show it", async () => {
  const policy = aPolicy({
    checks: { unit: aCheckRule({ run: "cat src/auth/login.ts", setup: "" }) },
    merging: { approvals: 1, paths: { "src/auth/**": "human" } },
  });
  const { bed, until } = await openActionsBed({ prompt: "!commit src/auth/login.ts", policy });
  const world = bed.engine.loop.world.view;
  const change = () => world.change(PULL_REQUEST) ?? expect.unreachable("there is no pull request");
  await until("the check", () => world.change(PULL_REQUEST)?.checks["unit"]?.state === "passed");
  await bed.idle();
  const detail = await toPullRequestDetail(change(), world, async () => "");
  const docs = readOutput("docs/user/pull-requests.md", "ao merge my-app/1 --explain");
  expect(renderExplanation(detail).map(withoutChance)).toEqual(docs);
});
