import { expect, it } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../src/protocol/views/session.ts";
import { goTo } from "./support/keys.ts";
import { describeInBrowser, openLink } from "./support/page.ts";
import { useSeededFleet } from "./support/seeded.ts";
import { followRequests } from "./support/settled.ts";
import { dealt, SIZES } from "./support/sizes.ts";
import { whyTooWide } from "./support/within-reach.ts";

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

  it("is as wide as the window at most", async () => {
    const paths = await listPages();
    const wrong: string[] = [];
    for (const [name, size] of Object.entries(SIZES)) {
      const page = await openLink(await fleet().link(), size);
      const settled = followRequests(page);
      await page.locator("main h1").first().waitFor({ state: "attached" });
      for (const path of dealt(paths, name)) {
        await goTo(page, path);
        await settled();
        const why = await whyTooWide(page);
        if (why !== null) wrong.push(`${path} at ${name} ${why}`);
      }
      await page.context().close();
    }
    expect(wrong).toEqual([]);
  });
});
