import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { CapacityView } from "../../src/protocol/views/capacity.ts";
import { makeFleet } from "../support/fleet.ts";
import { until } from "../support/until.ts";
import { listViolations } from "./support/axe.ts";
import { describeInBrowser, openPage } from "./support/page.ts";

describeInBrowser("the settings of a project", () => {
  it("are edited as YAML: problems at their lines, the diff before saving, then the file and the daemon change", async () => {
    const fleet = await makeFleet({ machine: { limits: { parallelAgents: 2 } } });
    const file = join(fleet.repo, "agent-orchestrator.yaml");
    appendFileSync(file, "# Two agents are enough.\n");
    const before = readFileSync(file, "utf8");
    await fleet.start();
    const { body } = await fleet.api<{ data: readonly { id: string }[] }>("POST", "/api/projects", {
      path: fleet.repo,
    });
    const limit = async (): Promise<number> => (await fleet.api<CapacityView>("GET", "/api/capacity")).body.slots.limit;
    const page = await openPage(fleet);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("navigation", { name: "Settings" }).getByRole("link").first().click();
    expect(new URL(page.url()).pathname).toBe(`/p/${body.data[0]?.id}/settings/config`);

    const editor = page.getByRole("textbox", { name: /agent-orchestrator\.yaml/ });
    await editor.fill(before.replace("parallelAgents", "paralelAgents"));
    await page.getByRole("list", { name: "Problems" }).getByText('did you mean "parallelAgents"?').waitFor();
    const save = page.getByRole("button", { name: "Save file" });
    expect(await save.isEnabled()).toBe(false);
    expect(await listViolations(page)).toEqual([]);

    const wanted = before.replace("parallelAgents: 2", "parallelAgents: 7");
    await editor.fill(wanted);
    const changes = page.getByRole("list", { name: "Settings that change" });
    await changes.getByText("limits.parallelAgents").waitFor();
    await changes.getByText("2 → 7").waitFor();
    expect(readFileSync(file, "utf8")).toBe(before);
    await until("a checked text", async () => save.isEnabled());
    await editor.press("Control+s");
    await page.getByText("Saved.").waitFor();
    expect(readFileSync(file, "utf8")).toBe(wanted);
    expect(await limit()).toBe(7);

    await page.getByRole("button", { name: "Undo" }).click();
    await until("the former text", async () => readFileSync(file, "utf8") === before);
    await until("the former limit", async () => (await limit()) === 2);

    const approvals = page.getByRole("textbox", { name: "Approved and green: approvals needed" });
    await approvals.fill("3");
    await approvals.press("Enter");
    await until("the edited text", async () => (await editor.inputValue()).includes("approvals: 3"));
    await changes.getByText("policies.approvals").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();

    await editor.fill(`${before}# mine\n`);
    await until("a checked text", async () => save.isEnabled());
    appendFileSync(file, "# theirs\n");
    await save.click();
    await page.getByText("The file changed on disk").waitFor();
    await page.getByRole("button", { name: "Load the file" }).click();
    await until("the text on disk", async () => (await editor.inputValue()).endsWith("# theirs\n"));
  });
});
