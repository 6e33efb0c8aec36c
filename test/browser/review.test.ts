import { expect, it } from "vitest";
import { again, commit, on, scenes } from "../e2e/reactions/scenes.ts";
import { makeLoop, toldTo } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

describeInBrowser("the review of a pull request", () => {
  it("sends a comment on a line to the agent, refuses a verdict on an old commit, approves and merges", async () => {
    const fleet = await makeLoop({
      scripts: {
        default: scenes(
          on("task", "", commit("a.txt", "one\ntwo\nthree\n")),
          on("message", "two or 2", again("a.txt", "four\n")),
        ),
      },
      reactions: { "approved-and-green": { auto: false, action: "notify" } },
      project: { policies: { approvals: 1 } },
    });
    await fleet.open();
    const { id } = await fleet.begin("1", "Count to three");
    const first = await fleet.reach(1, "open", ({ phase }) => phase === "open");
    const page = await openPage(fleet);
    await page.goto(new URL("/p/demo/pr/1", page.url()).href);
    await page.getByRole("region", { name: "Diff" }).getByText("three").waitFor();

    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await page.getByLabel(/^Comment on line 2 of a\.txt/).fill("two or 2?");
    await page.keyboard.press("Shift+Enter");
    await until("the agent to hear of it", () => toldTo(fleet, id).some(({ text }) => text?.includes("two or 2?")));

    await page.getByText("New commit").waitFor();
    await page.keyboard.press("a");
    await page.getByText(/New commit [0-9a-f]{7}, review it first/).waitFor();
    expect((await fleet.pullRequest(1)).approvals).toEqual([]);
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByRole("region", { name: "Diff" }).getByText("four").waitFor();

    const second = await fleet.reach(1, "moved", ({ head }) => head !== first.head);
    await page.keyboard.press("a");
    await fleet.reach(1, "approved", ({ approvals }) => approvals.length === 1);
    expect((await fleet.pullRequest(1)).reviews.at(-1)).toMatchObject({ verdict: "approve", head: second.head });
    await page.keyboard.press("Shift+M");
    await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
    await page.getByRole("region", { name: "Merge gate" }).getByText("Merged").waitFor();
  });
});
