import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The serious and critical violations on the current page, one line each; of these rules, or of all. */
export async function listViolations(page: Page, rules: readonly string[] | null = null): Promise<readonly string[]> {
  // Evaluated by the debugger, so the page's own policy against foreign scripts stays active.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  const options: RunOptions = {
    // Passing elements are not described: that would be most of the work.
    resultTypes: ["violations"],
    preload: false,
    ...(rules === null ? {} : { runOnly: [...rules] }),
  };
  return page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    const { violations } = await axe.run(chosen);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} (${failureSummary ?? ""})`));
  }, options);
}
