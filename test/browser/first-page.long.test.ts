import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempDir } from "../../src/testing/temp.ts";
import { commit, on, scenes } from "../e2e/reactions/scenes.ts";
import { makeLoop } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { describeInBrowser, openBlankPage, openPage } from "./support/page.ts";

const MERGE = { auto: true, action: "merge", strategy: "squash" };

describeInBrowser("the dashboard", () => {
  it("signs in one browser with a link and shows a task from queue to merge without a reload", async () => {
    const signal = join(tempDir(), "go");
    const busy = { run: ["sh", "-c", `until [ -e ${signal} ]; do sleep 0.05; done`] };
    const fleet = await makeLoop({
      scripts: {
        "1": scenes(on("task", "", [busy, ...commit("a.txt", "a\n")])),
        default: scenes(on("task", "", commit("b.txt", "b\n"))),
      },
      machine: { limits: { parallelAgents: 1 }, reactions: { "approved-and-green": MERGE } },
      project: { policies: { approvals: 0 } },
    });
    await fleet.open();
    const { body } = await fleet.api<{ url: string }>("POST", "/api/link", {});
    const [signedIn, other] = [await openBlankPage(), await openBlankPage()];
    expect((await signedIn.goto(body.url))?.status()).toBe(200);
    expect(signedIn.url()).not.toContain("link=");
    expect((await other.goto(body.url))?.status()).toBe(401);
    await signedIn.reload();
    await signedIn.getByRole("main").waitFor();

    const first = await fleet.begin("1", "Keep the only slot");
    await until("the first agent", async () => (await fleet.session(first.id)).status === "working");
    const page = await openPage(fleet);
    const loadedAt = await page.evaluate(() => performance.timeOrigin);
    const second = await fleet.begin("2", "Wait for a slot");
    const main = page.getByRole("main");
    const block = main.getByRole("article").filter({ hasText: "Wait for a slot" });
    await block.getByText(/1 of 1 agents busy/).waitFor();
    const release = fleet.holdChecks();
    writeFileSync(signal, "");
    await block.getByText("#2", { exact: true }).waitFor();
    await block.getByText(/^check test (running|queued)/).waitFor();
    release();
    await block.waitFor({ state: "hidden" });
    await main.getByRole("heading", { name: "Everything is merged" }).waitFor();
    await main.getByText(/^2 pull requests merged today, \+2 −0 lines/).waitFor();
    const today = page.getByRole("complementary", { name: "Today" });
    await today.getByText(/#2 .*merged|merged .*#2/).waitFor();
    await page.getByRole("button", { name: /^2 merged today/ }).waitFor();
    expect((await fleet.session(second.id)).pullRequests.map(({ phase }) => phase)).toEqual(["merged"]);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
  });
});
