import type { ElementHandle, Page, Request, Route } from "playwright-core";
import { expect, it } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../src/protocol/views/session.ts";
import { isFull } from "../../src/testing/full.ts";
import { type Control, findControl, listControls, oneOfEach, STATE } from "./support/controls.ts";
import { goTo } from "./support/keys.ts";
import { describeInBrowser, openLink } from "./support/page.ts";
import { useSeededFleet } from "./support/seeded.ts";
import { followRequests } from "./support/settled.ts";
import { dealt, SIZES } from "./support/sizes.ts";
import { whyTooWide } from "./support/within-reach.ts";

/** How long a press may take to show something on a busy machine, and how often that is looked at. */
const HAND_MS = 20_000;
const TURNS = 400;

interface Visit {
  readonly path: string;
  readonly how: "click" | "tap";
  /** Shows the page again, if a press has left it. */
  readonly show: () => Promise<void>;
  readonly settled: (rounds?: number) => Promise<void>;
}

interface Hand extends Pick<Visit, "how"> {
  readonly control: Control;
  readonly element: ElementHandle;
}

const PAGES = [
  "/",
  "/new",
  "/inbox",
  "/inbox?show=resolved",
  "/projects",
  "/p/tern",
  "/p/tern/settings/config",
  "/cost",
  "/capacity",
  "/settings/appearance",
  "/settings/notifications",
  "/settings/tokens",
  "/settings/audit",
];

describeInBrowser("every page", () => {
  const fleet = useSeededFleet(30);

  async function read<T>(path: string): Promise<readonly T[]> {
    const answer = await fetch(`${fleet().url}${path}`, { headers: { authorization: `Bearer ${fleet().token}` } });
    return ((await answer.json()) as { readonly data: readonly T[] }).data;
  }

  /** The pages of the sessions and pull requests with the longest names, and of one that asks. */
  async function listPages(): Promise<readonly string[]> {
    const sessions = await read<SessionView>("/api/sessions");
    const pulls = await read<PullRequestView>("/api/pull-requests");
    const longest = <T extends { readonly title: string }>(all: readonly T[]): T | undefined =>
      all.toSorted((a, b) => b.title.length - a.title.length)[0];
    const chosen = [longest(sessions), sessions.find(({ question }) => question?.kind === "permission")];
    const tabs = ["transcript", "diff", "events"].map((tab) => `/s/${chosen[0]?.id}?tab=${tab}`);
    return [...PAGES, ...tabs, `/s/${chosen[1]?.id}`, `/p/${longest(pulls)?.key.replace("/", "/pr/")}`];
  }

  for (const [name, size] of Object.entries(SIZES)) {
    it(`fits the window, and each of its links and buttons does something, at ${name}`, async () => {
      const page = await openLink(await fleet().link(), size);
      const settled = followRequests(page);
      await page.locator("main h1").first().waitFor({ state: "attached" });
      await page.route("**/api/**", refuseWrites);
      const how = size.hasTouch === true ? "tap" : "click";
      const wrong: string[] = [];
      let pressed = 0;
      for (const path of dealt(await listPages(), name)) {
        const show = async (): Promise<void> => {
          await goTo(page, path);
          await settled();
        };
        await show();
        const why = await whyTooWide(page);
        if (why !== null) wrong.push(`${path} ${why}`);
        const found = await pressAll(page, { path, how, show, settled });
        pressed += found.pressed;
        wrong.push(...found.wrong);
      }
      if (isFull) console.info(`${pressed} links and buttons by ${how} at ${name}`);
      expect(wrong).toEqual([]);
    });
  }
});

/** The fleet stays as it is. */
function refuseWrites(route: Route): Promise<void> {
  if (route.request().method() === "GET") return route.continue();
  return route.fulfill({ status: 409, json: { code: "conflict", detail: "Not now." } });
}

async function pressAll(page: Page, { path, how, show, settled }: Visit) {
  // The bars around a page are tried with the first one.
  const within = path === "/" ? "body" : path === "/new" ? "[role=dialog]" : "main";
  const all = await listControls(page, within);
  const chosen = isFull ? all : oneOfEach(all);
  const wrong: string[] = [];
  for (const control of chosen) {
    const element = await findControl(page, within, control);
    // Another press has folded it away.
    const why = element === null ? null : await press(page, { control, element, how });
    if (why !== null) wrong.push(`${path}: ${control.key} ${why}`);
    // A dialog that is being loaded must be there to be closed.
    await settled(1);
    await page.keyboard.press("Escape");
    if (!page.url().endsWith(path)) await show();
  }
  return { pressed: chosen.length, wrong };
}

/** Presses a control; returns what is wrong with it, or null. */
async function press(page: Page, { control: { href }, element, how }: Hand): Promise<string | null> {
  const before = await page.evaluate<string>(STATE);
  const asked: string[] = [];
  const note = (request: Request): void => {
    if (!request.url().includes("/api/live")) asked.push(request.url());
  };
  const hasEffect = async (): Promise<boolean> =>
    href === null ? asked.length > 0 || (await page.evaluate<string>(STATE)) !== before : page.url().endsWith(href);
  page.on("request", note);
  try {
    await (how === "tap" ? element.tap({ timeout: HAND_MS }) : element.click({ timeout: HAND_MS }));
    for (let turn = 0; turn < TURNS; turn += 1) {
      if (await hasEffect()) return null;
      await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${HAND_MS / TURNS}))`);
    }
    return href === null ? "does nothing" : `leads to ${page.url()}`;
  } catch (error) {
    return (error as Error).message.replaceAll("\n", " ").slice(0, 400);
  } finally {
    page.off("request", note);
  }
}
