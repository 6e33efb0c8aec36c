import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../src/protocol/views/session.ts";
import { until } from "../support/until.ts";
import { goTo } from "./support/keys.ts";
import { describeInBrowser, openLink } from "./support/page.ts";
import { useSeededFleet } from "./support/seeded.ts";
import { SIZES } from "./support/sizes.ts";
import { whyOutOfReach } from "./support/within-reach.ts";

describeInBrowser("what the screens say", () => {
  const fleet = useSeededFleet(30);

  async function read<T>(path: string): Promise<readonly T[]> {
    const answer = await fetch(`${fleet().url}${path}`, { headers: { authorization: `Bearer ${fleet().token}` } });
    return ((await answer.json()) as { readonly data: readonly T[] }).data;
  }

  async function open(path: string, size = SIZES["1440"]): Promise<Page> {
    const page = await openLink(await fleet().link(), size);
    await page.locator("main h1").first().waitFor({ state: "attached" });
    await goTo(page, path);
    return page;
  }

  const numberIn = async (page: Page, label: RegExp): Promise<number> =>
    Number(/^\d+/.exec((await page.getByRole("button", { name: label }).innerText()).trim())?.[0]);

  async function openReview(action: "log" | "approve", size = SIZES["1440"]): Promise<Page> {
    const sessions = await read<SessionView>("/api/sessions");
    const session = sessions.find(
      ({ attention, pullRequests }) =>
        pullRequests.length > 0 && attention?.actions.some((one) => one.action === action) === true,
    );
    const page = await open(`/p/${session?.pullRequests[0]?.key.replace("/", "/pr/")}`, size);
    await page.locator(".diff-file, .review-diff").first().waitFor();
    return page;
  }

  it("each page has its own title in the tab", async () => {
    const [session] = await read<SessionView>("/api/sessions");
    const [pull] = await read<PullRequestView>("/api/pull-requests");
    const page = await open("/");
    const titles: readonly (readonly [path: string, title: string])[] = [
      ["/", "Fleet - ao"],
      ["/inbox", "Inbox - ao"],
      ["/projects", "Projects - ao"],
      ["/p/tern", "tern - ao"],
      ["/cost", "Cost - ao"],
      ["/settings/tokens", "Settings: Access and tokens - ao"],
      [`/s/${session?.id}`, `${session?.title} - ${session?.id} - ao`],
      [`/p/${pull?.key.replace("/", "/pr/")}`, `Review #${pull?.number} ${pull?.title} - ao`],
    ];
    for (const [path, title] of titles) {
      await goTo(page, path);
      await until(`the title of ${path}`, async () => (await page.title()).endsWith(title));
      expect(await page.title()).toMatch(/^\(\d+\) /);
    }
  });

  it("a vital counts what a click on it shows", async () => {
    const page = await open("/", { size: { width: 1440, height: 2400 } });
    await page.locator(".need").first().waitFor();
    for (const [label, rows] of [
      [/in review/, ".row[data-session]"],
      [/need you|needs you/, ".need"],
    ] as const) {
      const count = await numberIn(page, label);
      await page.getByRole("button", { name: label }).click();
      await until(`${count} rows`, async () => (await page.locator(rows).count()) === count);
      await page.getByRole("button", { name: label }).click();
    }
  });

  it("there are as many slots as the limit says", async () => {
    const page = await open("/");
    const text = await page.getByRole("button", { name: /agents/ }).innerText();
    expect(await page.locator(".vitals .slots i").count()).toBe(Number(/of (\d+)/.exec(text)?.[1]));
  });

  it("a review that failed a check says which, links its log, and suggests no approval", async () => {
    const page = await openReview("log");
    const gate = page.getByRole("region", { name: "Merge gate" });
    await gate.getByRole("heading", { name: /unit failed, exit 1/ }).waitFor();
    expect(await page.locator(".verdict-bar .button-primary").count()).toBe(0);
    await gate.getByRole("button", { name: "View log" }).click();
    await page.getByRole("dialog").getByText("part 3 sent twice").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  });

  it("requested changes always have a place for a summary, which stays on the page and can be resolved there", async () => {
    const page = await openReview("approve");
    await page.locator(".verdict-bar .button-primary", { hasText: "Approve, then merge" }).waitFor();
    await page.locator(".diff-gutter-insert, .diff-gutter").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await page.locator(".thread-form textarea").fill("Say why");
    await page.getByRole("button", { name: "Add to review" }).click();
    await page.keyboard.press("r");
    const field = page.getByLabel("What should change?");
    await field.waitFor();
    await page.keyboard.type("Overall very good");
    await page.locator(".verdict-bar .composer").getByRole("button", { name: "Request changes" }).click();
    const general = page.getByRole("region", { name: "General" });
    await general.getByText("Overall very good").waitFor();
    await general.getByRole("button", { name: "Reply" }).click();
    await general.getByLabel("Reply").fill("Also in the docs");
    await general.locator(".composer").getByRole("button", { name: "Reply" }).click();
    await general.getByText("Also in the docs").waitFor();
    await general.getByRole("button", { name: "Resolve" }).click();
    await general.getByText("1 resolved").waitFor();
    const reviews = await page.evaluate<number>(
      "fetch(location.pathname.replace('/p/', '/api/pull-requests/').replace('/pr/', '/')).then((answer) => answer.json()).then(({ reviews }) => reviews.filter(({ verdict }) => verdict === 'request-changes').length)",
    );
    expect(reviews).toBe(1);
  });

  it("Ctrl+S in a field of the settings saves the field, and text typed meanwhile stays", async () => {
    const page = await open("/p/api/settings/config");
    const sent: string[] = [];
    await page.route("**/api/config", (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      sent.push((route.request().postDataJSON() as { readonly text: string }).text);
      return route.fulfill({ status: 409, json: { code: "conflict", detail: "Not now." } });
    });
    const approvals = page.getByRole("textbox", { name: "Approved and green: approvals needed" });
    await approvals.fill("4");
    await approvals.press("Control+s");
    await until("the file to be saved", () => sent.length === 1);
    expect(sent[0]).toContain("approvals: 4");

    const editor = page.getByRole("textbox", { name: /agent-orchestrator\.yaml/ });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/config/edit", async (route) => {
      await held;
      return route.continue();
    });
    await approvals.fill("5");
    await approvals.press("Enter");
    await editor.press("Control+End");
    await editor.pressSequentially("# mine");
    release();
    await until("the edit", async () => (await editor.inputValue()).includes("approvals: 5"));
    expect(await editor.inputValue()).toContain("# mine");
  });

  it("an expired login shows how to sign in again, and the page comes back with the draft", async () => {
    const [session] = await read<SessionView>("/api/sessions");
    const page = await open(`/s/${session?.id}`);
    const field = page.getByLabel(`Message ${session?.id}`);
    await field.fill("Use the other clock");
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await field.press("Enter");
    await page.getByRole("heading", { name: "This browser is not signed in" }).waitFor();
    await page.context().addCookies(cookies);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByLabel(`Message ${session?.id}`).waitFor();
    expect(await page.getByLabel(`Message ${session?.id}`).inputValue()).toBe("Use the other clock");
  });

  it("everything can be paused on a phone", async () => {
    const page = await open("/", SIZES["390"]);
    await page.locator(".bottom-bar summary").tap();
    const pause = page.locator(".bottom-more").getByRole("button", { name: "Pause all" });
    expect(await whyOutOfReach(pause)).toBeNull();
    await pause.tap();
    const banner = page.getByRole("status").filter({ hasText: "Paused." });
    await banner.getByRole("button", { name: "Resume all" }).tap();
    await banner.waitFor({ state: "hidden" });
  });

  it("a screen reader hears a list, headings and what each button is about; Tab can skip the bar", async () => {
    const page = await open("/");
    await page.locator(".need").first().waitFor();
    const list = page.getByRole("region", { name: "Sessions" });
    await list.getByRole("heading", { name: "Needs you" }).waitFor();
    const item = list.getByRole("listitem", { name: /^Permission: / });
    await item.getByRole("button", { name: /^Deny, Check the layers/ }).waitFor();
    await page.keyboard.press("j");
    await list.getByText(/^Selected: Question: /).waitFor();
    await page.reload();
    await page.locator(".need").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("MAIN");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.closest('main') !== null")).toBe(true);
  });
});
