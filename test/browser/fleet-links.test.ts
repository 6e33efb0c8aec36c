import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { until } from "../support/until.ts";
import { describeInBrowser, openLink, type PageOptions } from "./support/page.ts";
import { useSeededFleet } from "./support/seeded.ts";

/** Layouts of the list: by width, and the one for a few sessions. */
const LAYOUTS = [
  { width: 1440, density: "auto" },
  { width: 1440, density: "dense" },
  { width: 1440, density: "roomy" },
  { width: 1240, density: "auto" },
  { width: 1024, density: "auto" },
  { width: 720, density: "auto" },
  { width: 390, density: "auto" },
] as const;

const HOW = {
  click: (link: Locator) => link.click(),
  tap: (link: Locator) => link.tap(),
  Enter: (link: Locator) => link.press("Enter"),
} as const;

/** One link of every kind in the list: its address, without what differs between sessions, in its kind of row. */
const ONE_OF_EACH = `(() => {
  const kinds = new Map();
  for (const link of document.querySelectorAll(".list-rows a[href], .roomy-blocks a[href]")) {
    const row = link.closest(".need, .row, .block, .wall-cell");
    const kind = row.className.replace("need-short", "") + (row.querySelector(".row-age time, time.row-age") === null) + link.getAttribute("href")
      .replace(/^\\/s\\/[^?]+/, "/s/").replace(/^\\/p\\/[^?]+/, "/p/").replace(/log=.*/, "log=");
    if (!kinds.has(kind)) kinds.set(kind, link.getAttribute("href"));
  }
  return [...new Set(kinds.values())];
})()`;

const addressOf = (page: Page): string => page.url().slice(new URL(page.url()).origin.length);

const LIST = ".list-rows, .roomy-blocks";

describeInBrowser("the links of the fleet", () => {
  const fleet = useSeededFleet(30);

  async function openFleet(density: string, options: PageOptions): Promise<Page> {
    const page = await openLink(await fleet().link(), options);
    await page.evaluate(`localStorage.setItem("ao.density", ${JSON.stringify(density)})`);
    await page.reload();
    await page.locator(LIST).first().waitFor();
    await page.locator(".need, .block").first().waitFor();
    return page;
  }

  for (const { width, density } of LAYOUTS) {
    it(`open at ${width} pixels, ${density}, by mouse, by tap and with Enter`, async () => {
      const page = await openFleet(density, { size: { width, height: 844 }, hasTouch: true });
      const links = await page.evaluate<readonly string[]>(ONE_OF_EACH);
      expect(links.length).toBeGreaterThan(3);
      const dead: string[] = [];
      for (const href of links) {
        for (const [how, open] of Object.entries(HOW)) {
          // The width makes no difference to a key.
          if (how === "Enter" && width !== 1440) continue;
          const before = await page.evaluate<number>("history.length");
          await open(
            page
              .locator(LIST)
              .locator(`a[href=${JSON.stringify(href)}]`)
              .first(),
          );
          await page.locator("main h1").first().waitFor({ state: "attached" });
          const entries = (await page.evaluate<number>("history.length")) - before;
          // A second visit replaces what "back" has left ahead.
          if (addressOf(page) !== href || entries > 1)
            dead.push(`${how} ${href}: ${addressOf(page)}, ${entries} entries`);
          await page.goBack();
          await until("the list", async () => addressOf(page) === "/" && (await page.locator(LIST).count()) > 0);
        }
      }
      expect(dead).toEqual([]);
    });
  }

  it("a click beside them selects the row, without an entry in the history", async () => {
    for (const [density, row] of [
      ["auto", ".need"],
      ["auto", ".list-row > .row:not(.need, .group-header)"],
      ["roomy", ".block"],
    ] as const) {
      const page = await openFleet(density, {});
      const before = await page.evaluate<number>("history.length");
      await page.locator(row).first().locator(".strip").click();
      await page.locator(`${row}[data-selected]`).waitFor();
      await until("the selection", () => /^\/\?sel=/.test(addressOf(page)));
      expect(await page.evaluate<number>("history.length")).toBe(before);
    }
  });
});
