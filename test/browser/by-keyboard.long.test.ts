import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { again, commit, on, scenes } from "../e2e/reactions/scenes.ts";
import { type LoopFleet, makeLoop, toldTo } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { readFocus, tabTo } from "./support/keys.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

const ASK = {
  ask: {
    question: "How far?",
    choices: ["two", "three"],
    // biome-ignore lint/suspicious/noThenProperty: a word of the script
    then: { three: commit("a.txt", "one\ntwo\nthree\n"), else: [{ done: "not three" }] },
  },
};

async function begin(): Promise<{ readonly fleet: LoopFleet; readonly id: string }> {
  const fleet = await makeLoop({
    scripts: {
      default: scenes(
        on("task", "", [ASK]),
        on("message", "two or 2", again("a.txt", "four\n")),
        on("message", "", [{ done: "heard" }]),
      ),
    },
    reactions: { "approved-and-green": { auto: false, action: "notify" } },
    project: { policies: { approvals: 1 } },
  });
  await fleet.open();
  const { id } = await fleet.begin("1", "Count to three");
  await until("the question", async () => (await fleet.session(id)).question !== null);
  return { fleet, id };
}

/** A dialog takes the focus, keeps it, and returns it to the element that opened it. */
async function openAndClose(page: Page, opener: RegExp): Promise<void> {
  await tabTo(page, opener);
  const { name } = await readFocus(page);
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  for (let stop = 0; stop < 12; stop += 1) {
    await page.keyboard.press("Tab");
    const isInside = await page.evaluate<boolean>("document.activeElement.closest('[role=dialog]') !== null");
    expect(isInside, `Tab stays in the dialog of ${name}`).toBe(true);
  }
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await until(`the focus to return to ${name}`, async () => (await readFocus(page)).name === name);
}

async function answerAndWrite(page: Page, { fleet, id }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  await page.getByText("Count to three").first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("o");
  const question = page.getByRole("region", { name: "Question" });
  await question.getByText("How far?").waitFor();
  await page.keyboard.press("2");
  await question.waitFor({ state: "hidden" });
  const transcript = page.getByRole("list", { name: "Transcript" });
  await transcript.getByText("Answered: three").waitFor();
  await fleet.reach(1, "open", ({ phase }) => phase === "open");

  await page.keyboard.press("m");
  await page.keyboard.type("Thank you");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("and go on");
  await page.keyboard.press("Enter");
  const message = transcript.getByRole("listitem").filter({ hasText: "and go on" });
  await message.getByText(/^delivered/).waitFor();
  expect(toldTo(fleet, id).map(({ text }) => text)).toContain("Thank you\nand go on");
  expect(await page.getByLabel(`Message ${id}`).inputValue()).toBe("");
  await page.keyboard.press("Escape");
}

async function reviewAndMerge(page: Page, { fleet, id }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  const first = await fleet.pullRequest(1);
  await page.keyboard.press("o");
  const diff = page.getByRole("region", { name: "Diff" });
  await diff.getByText("three").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("c");
  await page.getByLabel(/^Comment on line 2 of a\.txt/).waitFor();
  await page.keyboard.type("two or 2?");
  await page.keyboard.press("Shift+Enter");
  await until("the agent to hear of it", () => toldTo(fleet, id).some(({ text }) => text?.includes("two or 2?")));

  await page.getByText("New commit").waitFor();
  await page.keyboard.press("a");
  await page.getByText(/New commit [0-9a-f]{7}, review it first/).waitFor();
  expect((await fleet.pullRequest(1)).approvals).toEqual([]);
  await tabTo(page, /^Show it/);
  await page.keyboard.press("Enter");
  await diff.getByText("four").waitFor();

  const second = await fleet.reach(1, "moved", ({ head }) => head !== first.head);
  await page.keyboard.press("a");
  await fleet.reach(1, "approved", ({ approvals }) => approvals.length === 1);
  expect((await fleet.pullRequest(1)).reviews.at(-1)).toMatchObject({ verdict: "approve", head: second.head });
  await page.keyboard.press("Shift+M");
  await fleet.reach(1, "merged", ({ phase }) => phase === "merged");
  const gate = page.getByRole("region", { name: "Merge gate" });
  await gate.getByRole("heading", { name: "Merged" }).waitFor();
  await gate.getByText("exactly what was merged").waitFor();
}

describeInBrowser("the dashboard without a mouse", () => {
  it("answers a question, sends a message, comments on a line, approves the commit on screen, and merges", async () => {
    const story = await begin();
    const page = await openPage(story.fleet);
    await openAndClose(page, /^Search or run a command/);
    await openAndClose(page, /^New session/);
    await answerAndWrite(page, story);
    await reviewAndMerge(page, story);
  });
});
