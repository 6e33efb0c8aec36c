import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page, Request } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import type { SessionView } from "../../src/protocol/views/session.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { type ServedFleet, serveFleet } from "../support/serve-fleet.ts";
import { until } from "../support/until.ts";
import { listViolations } from "./support/axe.ts";
import { describeInBrowser, openLink, type PageOptions } from "./support/page.ts";

const page = fileURLToPath(new URL("../../dist/web", import.meta.url));

/** Each screen, and the heading that shows it has loaded. */
const SCREENS: readonly (readonly [path: string, heading: string])[] = [
  ["/", "Fleet"],
  ["/new", "New session"],
  ["/inbox", "Inbox"],
  ["/inbox?show=resolved", "Inbox"],
  ["/p/tern/settings/config", "tern"],
  ["/projects", "Projects"],
  ["/p/tern", "tern"],
  ["/capacity", "Capacity"],
  ["/cost", "Cost"],
  ["/settings/appearance", "Appearance"],
  ["/settings/notifications", "Notifications"],
  ["/settings/tokens", "Access and tokens"],
  ["/settings/audit", "Audit log"],
  ["/settings/doctor", "Doctor"],
  ["/nowhere", "No such page"],
];

async function seed(count: number): Promise<ServedFleet> {
  const fleet = await serveFleet({ home: join(tempDir(), "home"), count, port: null, page });
  onTestFinished(fleet.close);
  return fleet;
}

/** A session that asks something and a pull request of the fleet, as screens. */
async function listOwnScreens({ url, token }: ServedFleet): Promise<typeof SCREENS> {
  const read = async <T>(path: string): Promise<{ readonly data: readonly T[] }> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json() as never;
  const sessions = await read<SessionView>("/api/sessions");
  const asking = sessions.data.find(({ attention }) => attention !== null);
  const [pullRequest] = (await read<PullRequestView>("/api/pull-requests")).data;
  return [
    [`/s/${asking?.id}`, asking?.title ?? ""],
    [`/p/${pullRequest?.key.replace("/", "/pr/")}`, pullRequest?.title ?? ""],
  ];
}

/** Opens a tab and returns a function that navigates to a screen like a link would and waits until it has loaded. */
async function openTab(fleet: ServedFleet, options: PageOptions) {
  const asked = new Set<Request>();
  const tab = await openLink(await fleet.link(), { isReducedMotion: true, ...options });
  tab.on("request", (request) => !request.url().includes("/api/live") && asked.add(request));
  tab.on("requestfinished", (request) => asked.delete(request));
  tab.on("requestfailed", (request) => asked.delete(request));
  const show = async ([path, heading]: (typeof SCREENS)[number]): Promise<void> => {
    await tab.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
    await tab.getByRole("heading", { name: heading, includeHidden: true }).first().waitFor({ state: "attached" });
    await until(`the answers for ${path}`, () => asked.size === 0);
    await tab.evaluate("document.fonts.ready.then(() => undefined)");
  };
  return { tab, show };
}

describeInBrowser("accessibility", () => {
  it("no screen has a serious violation, in dark, light and on a phone", async () => {
    const fleet = await seed(30);
    const found: string[] = [];
    const look = async (tab: Page, where: string, rules?: readonly string[]): Promise<void> => {
      for (const violation of await listViolations(tab, rules)) found.push(`${where}: ${violation}`);
    };
    const desk = await openTab(fleet, { theme: "dark" });
    const phone = await openTab(fleet, { size: { width: 390, height: 844 } });
    for (const screen of [...SCREENS, ...(await listOwnScreens(fleet))]) {
      const [path] = screen;
      await desk.show(screen);
      await look(desk.tab, `dark ${path}`);
      // A theme is only colors.
      await desk.tab.emulateMedia({ colorScheme: "light" });
      await look(desk.tab, `light ${path}`, ["color-contrast"]);
      await desk.tab.emulateMedia({ colorScheme: "dark" });
      await phone.show(screen);
      await look(phone.tab, `phone ${path}`);
    }
    expect([...new Set(found)]).toEqual([]);
  });
});
