import { expect, it } from "vitest";
import { commit, on, scenes } from "../e2e/reactions/scenes.ts";
import { makeLoop } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { listViolations } from "./support/axe.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

const ASK = { ask: { question: "Which color?", choices: ["red", "blue"] } };

describeInBrowser("accessibility", () => {
  it("no screen has a serious violation, in dark and in light", async () => {
    const fleet = await makeLoop({
      scripts: {
        "1": scenes(on("task", "", commit("a.txt", "a\n"))),
        default: scenes(on("task", "", [ASK, ...commit("b.txt", "b\n")])),
      },
    });
    await fleet.open();
    const done = await fleet.begin("1", "Write a file");
    const asking = await fleet.begin("2", "Choose a color");
    await until("the question", async () => (await fleet.session(asking.id)).question);
    await fleet.reach(1, "waiting for a review", ({ status }) => status === "review-pending");
    const paths = [
      "/",
      "/new",
      "/inbox",
      "/projects",
      "/p/demo",
      "/p/demo/pr/1",
      `/s/${done.id}`,
      `/s/${asking.id}`,
      "/cost",
      "/settings/appearance",
      "/settings/notifications",
      "/settings/tokens",
      "/settings/doctor",
      "/nowhere",
    ];
    const found: string[] = [];
    for (const theme of ["dark", "light"] as const) {
      const page = await openPage(fleet, { theme });
      for (const path of paths) {
        await page.goto(new URL(path, page.url()).href);
        await page.locator("h1, h2").first().waitFor();
        await page.evaluate(() => document.fonts.ready.then(() => undefined));
        for (const violation of await listViolations(page)) found.push(`${theme} ${path}: ${violation}`);
      }
    }
    expect(found).toEqual([]);
  });
});
