import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { until } from "../support/until.ts";
import { goTo } from "./support/keys.ts";
import { describeInBrowser, openLink } from "./support/page.ts";
import { useSeededFleet } from "./support/seeded.ts";

/** The address without its origin. */
const addressOf = (page: Page): string => page.url().slice(new URL(page.url()).origin.length);

async function reach(page: Page, address: RegExp): Promise<void> {
  await until(`the address ${String(address)}`, () => address.test(addressOf(page)));
}

describeInBrowser("a fleet of 30 sessions", () => {
  const fleet = useSeededFleet(30);

  it("shows placeholder rows while it loads", async () => {
    const page = await openLink(await fleet().link());
    await page.route("**/api/**", () => undefined);
    await page.reload();
    const headings = page.locator("main[aria-busy] h2");
    await headings.first().waitFor();
    const tops = await page.locator("main[aria-busy] .row").evaluateAll((rows) =>
      rows.map((row) => {
        const { top, height } = row.getBoundingClientRect();
        return { top: Math.round(top), bottom: Math.round(top + height), isTall: height > 50 };
      }),
    );
    expect(tops).toHaveLength(22);
    expect(tops.filter(({ isTall }) => isTall)).toEqual([]);
    expect(tops.slice(1).map(({ top }) => top)).toEqual(tops.slice(0, -1).map(({ bottom }) => bottom));
    const titles = await page
      .locator("main[aria-busy] .row-title")
      .evaluateAll((bones) => bones.map((bone) => bone.clientWidth));
    expect(Math.min(...titles)).toBeGreaterThan(100);
  });

  it("back and forward keep the project, the filter, the selected session and the tab", async () => {
    const page = await openLink(await fleet().link());
    const selected = page.locator(".list [data-selected]");
    await page.getByLabel("Project").selectOption("tern");
    await reach(page, /^\/\?project=tern$/);
    await page.getByRole("button", { name: /need you|needs you/ }).click();
    await reach(page, /q=is%3Aneeds-you/);
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await selected.waitFor();
    const list = addressOf(page);
    const id = new URL(page.url()).searchParams.get("sel") ?? "";
    await page.keyboard.press("o");
    await reach(page, new RegExp(`^/s/${id}\\?project=tern$`));
    await page.getByRole("tab", { name: "Events" }).click();
    await reach(page, /tab=events/);

    await page.goBack();
    await page.getByRole("tab", { name: "Transcript", selected: true }).waitFor();
    await page.goBack();
    await selected.getByText(id).waitFor();
    expect(addressOf(page)).toBe(list);
    expect(await page.getByLabel("Filter").inputValue()).toBe("is:needs-you");
    expect(await page.getByLabel("Project").inputValue()).toBe("tern");
    await page.goBack();
    await reach(page, /^\/\?project=tern$/);
    for (let step = 0; step < 3; step += 1) await page.goForward();
    await page.getByRole("tab", { name: "Events", selected: true }).waitFor();
    await reach(page, new RegExp(`^/s/${id}\\?`));
  });

  it("an item dismissed in its row leaves the list without a reload", async () => {
    const page = await openLink(await fleet().link());
    const row = page.locator(".need").filter({ hasText: "Not committed" });
    await row.getByRole("button", { name: "Dismiss" }).click();
    await row.waitFor({ state: "detached" });
  });

  it("a message refused in its row returns to the field, which closes once it is sent", async () => {
    const page = await openLink(await fleet().link());
    await page.locator(".need").filter({ hasText: "No signal" }).locator(".strip").click();
    await page.keyboard.press("m");
    const field = page.locator(".need textarea");
    await field.fill("try the other port");
    await page.route("**/message", (route) =>
      route.fulfill({ status: 409, json: { code: "conflict", detail: "The session is being stopped." } }),
    );
    await field.press("Enter");
    await page.getByText("Not sent: The session is being stopped.").waitFor();
    expect(await field.inputValue()).toBe("try the other port");

    await page.unroute("**/message");
    await page.route("**/message", (route) => route.fulfill({ status: 200, json: { messageId: "m-1" } }));
    await field.press("Enter");
    await field.waitFor({ state: "detached" });
  });

  it("the palette finds sessions, pull requests, pages and actions", async () => {
    const page = await openLink(await fleet().link());
    await page.locator(".list").waitFor();
    const find = async (text: string): Promise<void> => {
      await page.keyboard.press("Control+k");
      await page.getByPlaceholder("Search or run a command").fill(text);
    };
    await find("@tern-9");
    const [first] = await page.getByRole("option").allInnerTexts();
    const id = /tern-\d+/.exec(first ?? "")?.[0] ?? "none";
    await page.keyboard.press("Enter");
    await reach(page, new RegExp(`^/s/${id}`));

    await find("#");
    const [pullRequest] = await page.getByRole("option").allInnerTexts();
    const number = /#(\d+)/.exec(pullRequest ?? "")?.[1] ?? "none";
    await page.keyboard.press("Enter");
    await reach(page, new RegExp(`^/p/\\w+/pr/${number}$`));

    await find("capacity");
    await page.keyboard.press("Enter");
    await reach(page, /^\/capacity$/);

    await find("> pause");
    expect(await page.getByRole("option").allInnerTexts()).toHaveLength(1);
    await page.keyboard.press("Enter");
    const banner = page.getByRole("status").filter({ hasText: "Paused." });
    await banner.waitFor();
    await find("> resume");
    await page.keyboard.press("Enter");
    await banner.waitFor({ state: "hidden" });

    await find("there is no such thing");
    await page.getByText("Nothing matches.").waitFor();
  });

  it("is grouped by state, project or agent, in the density chosen under Appearance", async () => {
    const page = await openLink(await fleet().link());
    await page.getByLabel("Group").selectOption("project");
    await page.getByRole("heading", { name: /^api / }).waitFor();
    await reach(page, /group=project/);
    await page.goBack();
    await page.getByRole("heading", { name: /^Working / }).waitFor();
    expect(await page.getByRole("complementary", { name: "Today" }).count()).toBe(0);

    await goTo(page, "/settings/appearance");
    await page.getByRole("group", { name: "Fleet density" }).getByRole("button", { name: "Dense" }).click();
    await goTo(page, "/");
    await page.locator(".list[data-density=dense]").waitFor();
    await page.reload();
    await page.locator(".list[data-density=dense]").waitFor();
  });

  it("shows the day's events beside it on a wide screen", async () => {
    const page = await openLink(await fleet().link(), { size: { width: 1900, height: 900 } });
    await page.getByRole("complementary", { name: "Today" }).getByRole("listitem").first().waitFor();
  });

  it("animates nothing for people who prefer reduced motion", async () => {
    // A row that has just changed its group slides to its new place.
    const slide = `(() => {
      const row = document.querySelector(".list-row");
      row.dataset.moved = "true";
      return getComputedStyle(row).transitionDuration;
    })()`;
    const animations = "document.getAnimations().filter((one) => one.effect.getComputedTiming().duration > 0).length";
    const durations: unknown[] = [];
    for (const isReducedMotion of [false, true]) {
      const page = await openLink(await fleet().link(), { isReducedMotion });
      await page.locator(".list-row").first().waitFor();
      durations.push(await page.evaluate(slide));
      if (!isReducedMotion) continue;
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
      expect(await page.evaluate(animations)).toBe(0);
    }
    expect(durations).toEqual(["0.2s", "0s"]);
  });
});
