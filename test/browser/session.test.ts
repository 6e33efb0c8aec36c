import { expect, it } from "vitest";
import { on, scenes } from "../e2e/reactions/scenes.ts";
import { makeLoop } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

describeInBrowser("the page of a session", () => {
  it("keeps a draft across a reload and shows why a message was refused", async () => {
    const fleet = await makeLoop({ scripts: { default: scenes(on("task", "", [{ hang: true }])) } });
    await fleet.open();
    const { id } = await fleet.begin("1", "Never end");
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
