import { expect, it } from "vitest";
import { commit, on, scenes } from "../e2e/reactions/scenes.ts";
import { type LoopFleet, makeLoop, toldTo } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

const ASK = {
  ask: {
    question: "Which color?",
    choices: ["red", "blue"],
    // biome-ignore lint/suspicious/noThenProperty: a word of the script
    then: { blue: commit("blue.txt", "blue\n"), else: [{ done: "not blue" }] },
  },
};

async function begin(): Promise<{ readonly fleet: LoopFleet; readonly id: string }> {
  const fleet = await makeLoop({
    scripts: { default: scenes(on("task", "", [ASK]), on("message", "", [{ done: "heard" }])) },
    project: { policies: { approvals: 1 } },
  });
  await fleet.open();
  const { id } = await fleet.begin("1", "Choose a color");
  await until("the question", async () => (await fleet.session(id)).question !== null);
  return { fleet, id };
}

describeInBrowser("the page of a session", () => {
  it("answers a question with a key, sends a message, and shows its receipt", async () => {
    const { fleet, id } = await begin();
    const page = await openPage(fleet);
    await page.goto(new URL(`/s/${id}`, page.url()).href);
    const question = page.getByRole("region", { name: "Question" });
    await question.getByText("Which color?").waitFor();

    await page.keyboard.press("2");
    await question.waitFor({ state: "hidden" });
    const transcript = page.getByRole("list", { name: "Transcript" });
    await transcript.getByText("Answered: blue").waitFor();
    await fleet.reach(1, "open", ({ phase }) => phase === "open");

    await page.keyboard.press("m");
    await page.keyboard.type("Thank you");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("and goodbye");
    await page.keyboard.press("Enter");
    const message = transcript.getByRole("listitem").filter({ hasText: "and goodbye" });
    await message.getByText(/^delivered/).waitFor();
    expect(toldTo(fleet, id).map(({ text }) => text)).toContain("Thank you\nand goodbye");
    expect(await page.getByLabel(`Message ${id}`).inputValue()).toBe("");
  });

  it("keeps a draft over a reload, and shows why a message was refused", async () => {
    const { fleet, id } = await begin();
    const page = await openPage(fleet);
    await page.goto(new URL(`/s/${id}`, page.url()).href);
    const field = page.getByLabel(`Message ${id}`);
    await field.fill("half a sentence");
    await page.reload();
    await until("the draft", async () => (await field.inputValue()) === "half a sentence");

    await page.route("**/message", (route) =>
      route.fulfill({ status: 409, json: { code: "conflict", detail: "The session is being stopped." } }),
    );
    await field.press("Enter");
    await page.getByText("Not sent: The session is being stopped.").waitFor();
    expect(await field.inputValue()).toBe("half a sentence");
  });
});
