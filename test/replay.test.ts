import { describe, expect, it } from "vitest";
import { renderReplay } from "../src/cli/views/replay-view.ts";
import { style } from "../src/cli/views/style.ts";
import type { ReplayBody } from "../src/protocol/bodies/rules.ts";
import type { ReplayView } from "../src/protocol/views/replay.ts";
import { replayLog } from "../src/server/replay.ts";
import { aCheckRule, aPolicy, aRule } from "../src/testing/change-builders.ts";
import { type ActionsBed, openActionsBed, PULL_REQUEST, SESSION } from "./support/actions-bed.ts";
import { readOutput, withoutChance } from "./support/docs-output.ts";

const policy = aPolicy({
  checks: { unit: aCheckRule({ run: "cat made.txt", setup: "" }) },
  reactions: {
    "changes-requested": aRule({ message: "!commit fixed.txt" }),
    "approved-and-green": aRule({ action: "merge", retries: 0, strategy: "squash" }),
  },
});

/** A person deals with requested changes and merges. */
const NEW_RULES = `
projects:
  demo:
    path: .
    checks: { unit: { run: cat made.txt } }
    reactions:
      changes-requested: { action: notify }
      approved-and-green: { action: notify }
      all-complete: { auto: false }
    policies: { approvals: 1 }
`;

/** A pull request whose agent made the requested changes, and which a rule merged after an approval. */
async function aMergedPullRequest(): Promise<ActionsBed> {
  const at = await openActionsBed({ prompt: "!commit made.txt", policy });
  const change = () => at.bed.engine.loop.world.view.change(PULL_REQUEST);
  const isGreen = (): boolean => change()?.checks["unit"]?.state === "passed";
  await at.until("the check", isGreen);
  const head = change()?.head;
  await at.actions.pullRequests.review(PULL_REQUEST, { verdict: "request-changes", body: "Name it better." }, {});
  await at.until("the requested changes", () => change()?.head !== head && isGreen());
  await at.actions.pullRequests.review(PULL_REQUEST, { verdict: "approve" }, {});
  await at.until("the merge", () => change()?.phase === "merged");
  await at.bed.idle();
  return at;
}

/** Replays with nothing but what it may use: calling anything else would throw. */
function replay(
  { actions, kernel }: ActionsBed,
  body: ReplayBody,
  signal = new AbortController().signal,
): Promise<ReplayView> {
  const { engine, store, rulesOfText } = actions;
  const { world, lastPosition } = engine;
  const source = { engine: { world, lastPosition }, store: { read: store.read }, rulesOfText };
  return replayLog(source, body, { now: kernel.host.clock.now(), signal });
}

const textsOf = ({ data }: ReplayView, mark: ReplayView["data"][number]["mark"]): readonly string[] =>
  data.filter((row) => row.mark === mark).map(({ text }) => text.replaceAll(/[0-9a-f]{7,}/g, "HEAD"));

describe("a replay of the log", () => {
  it("shows what the rules did, with the same decisions and no effects", async () => {
    const at = await aMergedPullRequest();
    const before = await at.bed.store.read(0, 10_000);
    const view = await replay(at, {});
    expect(textsOf(view, "same")).toEqual([
      "problem: Ann Author requested changes",
      "sent requested changes to the agent (attempt 1)",
      "resolved: requested changes",
      "ao requested the merge of HEAD (squash)",
    ]);
    expect(view).toMatchObject({ before: view.after, after: { messages: 1, merges: 1, notifications: 0, actions: 0 } });
    expect([...textsOf(view, "added"), ...textsOf(view, "removed")]).toEqual([]);
    expect(await at.bed.store.read(0, 10_000)).toEqual(before);
    expect(at.heard()).toHaveLength(2);
  });

  it("stops when its caller is gone", async () => {
    const at = await aMergedPullRequest();
    await expect(replay(at, {}, AbortSignal.abort())).rejects.toMatchObject({ code: "timeout" });
  });

  it("shows as a diff what other rules would have done, as the docs show it", async () => {
    const view = await replay(await aMergedPullRequest(), { config: NEW_RULES });
    expect(textsOf(view, "removed")).toEqual([
      "sent requested changes to the agent (attempt 1)",
      "ao requested the merge of HEAD (squash)",
    ]);
    expect(textsOf(view, "added")).toEqual([
      "notified you: requested changes",
      "#1 is approved and green",
      "notified you: approved and green",
      "resolved: approved and green",
    ]);
    expect(view.after).toEqual({ messages: 0, notifications: 2, merges: 0, actions: 0 });
    const shown = renderReplay(view, style({}), "new.yaml");
    expect(shown.map(withoutChance)).toEqual(readOutput("docs/user/replay.md", "ao replay --config new.yaml"));
  });

  it.each([
    ["a session", { session: SESSION }],
    ["a pull request", { pullRequest: PULL_REQUEST }],
  ])("can be limited to %s", async (_name, body) => {
    const at = await aMergedPullRequest();
    const view = await replay(at, { ...body, config: NEW_RULES });
    expect(view.before).toMatchObject({ messages: 1, merges: 1 });
    expect(view.after).toMatchObject({ messages: 0, notifications: 2 });
  });

  it("keeps everything before --since as recorded", async () => {
    const at = await aMergedPullRequest();
    const since = new Date(at.kernel.host.clock.now() + 1).toISOString();
    expect(await replay(at, { since, config: NEW_RULES })).toMatchObject({ data: [] });
  });

  it("refuses a configuration that lists none of the projects", async () => {
    const at = await aMergedPullRequest();
    await expect(replay(at, { config: "projects: { other: { path: . } }" })).rejects.toMatchObject({
      code: "config-invalid",
      hint: "Under `projects:`, name one of: demo.",
    });
  });
});
