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
  it("shows a task from the queue to its merge without a reload", async () => {
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
    const first = await fleet.begin("1", "Keep the only slot");
    await until("the first agent", async () => (await fleet.session(first.id)).status === "working");
    const page = await openPage(fleet);
    const loadedAt = await page.evaluate(() => performance.timeOrigin);

    await fleet.begin("2", "Wait for a slot");
    const main = page.getByRole("main");
    await main.getByText("Wait for a slot").first().waitFor();
    await main
      .getByText(/queued/i)
      .first()
      .waitFor();
    writeFileSync(signal, "");
    await fleet.reach(1, "merged", ({ status }) => status === "merged");
    await fleet.reach(2, "merged", ({ status }) => status === "merged");
    await main
      .getByText(/queued/i)
      .first()
      .waitFor({ state: "hidden" });
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loadedAt);
  });

  it("signs in the first browser that opens a link, and no other", async () => {
    const fleet = await makeLoop({ scripts: { default: scenes(on("task", "", commit("a.txt", "a\n"))) } });
    await fleet.open();
    const { body } = await fleet.api<{ url: string }>("POST", "/api/link", {});
    const [page, other] = [await openBlankPage(), await openBlankPage()];
    expect((await page.goto(body.url))?.status()).toBe(200);
    expect(page.url()).not.toContain("link=");
    expect((await other.goto(body.url))?.status()).toBe(401);
    await page.reload();
    await page.getByRole("main").waitFor();
  });
});
