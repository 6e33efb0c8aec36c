import { expect, it } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import { makeFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { listViolations } from "./support/axe.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

describeInBrowser("the settings of a project with a history", () => {
  it("show what an edited rule would have done, before it is saved", async () => {
    const fleet = await makeFleet({
      project: { checks: { unit: { run: "true" } }, policies: { approvals: 0 } },
    });
    await fleet.start();
    await fleet.write("POST", "/api/projects", { path: fleet.repo });
    const prompt = "task\n!write hello.txt hello\n!commit Add a greeting";
    const { status } = await fleet.write("POST", "/api/sessions", { projectId: "demo", title: "Greet", prompt });
    expect(status).toBe(201);
    const pullRequest = async () => (await fleet.api<PullRequestView>("GET", "/api/pull-requests/demo/1")).body;
    await until("a pull request that waits for a person", async () => (await pullRequest()).blockers?.length === 0);
    await fleet.write("POST", "/api/pull-requests/demo/1/merge", {});
    await until("the merge", async () => (await pullRequest()).phase === "merged");

    const page = await openPage(fleet);
    await page.goto(new URL("/p/demo/settings/config", page.url()).href);
    const dryRun = page.getByRole("region", { name: "Dry run" });
    await page.getByRole("button", { name: "merge", exact: true }).click();
    await dryRun.getByText("merge would not have waited for you").waitFor();
    expect(await dryRun.getByRole("heading").innerText()).toBe("Dry run on the last 7 days");
    expect(await dryRun.getByRole("listitem").first().innerText()).toMatch(/^1\s+merge would not have waited for you/);
    expect(await dryRun.getByRole("link", { name: "#1" }).first().getAttribute("href")).toContain("/p/demo/pr/1");
    expect(await listViolations(page)).toEqual([]);

    await page.getByRole("button", { name: "Discard" }).click();
    await dryRun.waitFor({ state: "detached" });
    const name = page.getByRole("textbox", { name: /agent-orchestrator\.yaml/ });
    await name.fill((await name.inputValue()).replace("path: .", "path: .\n    name: Greetings"));
    await dryRun.getByText("No rule changes").waitFor();
  });
});
