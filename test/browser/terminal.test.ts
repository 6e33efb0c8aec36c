import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hasTmux } from "../support/pane.ts";
import { until } from "../support/until.ts";
import { describeInBrowser, openPage } from "./support/page.ts";
import { startInTerminals } from "./support/terminals.ts";

/** A program that knows nothing about ao: typed text goes to a file, and its output tries to reach beyond the terminal. */
const PROGRAM = `printf '\\033]0;owned\\007\\033]52;c;b3duZWQ=\\007ready\\n'; exec cat >"$AO_DIARY/typed"`;

describeInBrowser("the terminal of a session", () => {
  it.skipIf(!hasTmux)("shows the agent's output, accepts keys, and does not change the page title", async () => {
    const fleet = await startInTerminals(PROGRAM);
    const { body } = await fleet.write<{ id: string }>("POST", "/api/sessions", { title: "Type", prompt: "the task" });
    const typed = (): string => {
      const file = join(fleet.dir, "diary", "typed");
      return existsSync(file) ? readFileSync(file, "utf8") : "";
    };
    await until("the task to be typed", () => typed().includes("the task"));

    const page = await openPage(fleet);
    await page.goto(new URL(`/s/${body.id}?tab=terminal`, page.url()).href);
    await page.getByText("live", { exact: true }).first().waitFor();
    const terminal = page.getByRole("region", { name: "Terminal" });
    await until("its screen", async () => (await terminal.textContent())?.includes("ready"));
    await terminal.click();
    await page.keyboard.type("x marks it");
    await page.keyboard.press("Enter");
    await until("the keys to arrive", () => typed().endsWith("x marks it\n"));
    expect((await fleet.session(body.id)).status).not.toBe("stopped");

    await page.keyboard.press("Control+Escape");
    await until("the focus to leave", () => page.evaluate<boolean>("document.activeElement === document.body"));
    expect(await page.title()).not.toContain("owned");
  });
});
