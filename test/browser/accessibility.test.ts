import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { tempDir } from "../../src/testing/temp.ts";
import { type ServedFleet, serveFleet } from "../support/serve-fleet.ts";
import { listViolations } from "./support/axe.ts";
import { describeInBrowser, openLink } from "./support/page.ts";

const page = fileURLToPath(new URL("../../dist/web", import.meta.url));

const PATHS = [
  "/",
  "/new",
  "/inbox",
  "/projects",
  "/p/tern",
  "/capacity",
  "/cost",
  "/settings/appearance",
  "/settings/notifications",
  "/settings/tokens",
  "/settings/doctor",
  "/nowhere",
];

async function seed(count: number): Promise<ServedFleet> {
  const fleet = await serveFleet({ home: join(tempDir(), "home"), count, port: null, page });
  onTestFinished(fleet.close);
  return fleet;
}

/** A session and a pull request of the fleet, as paths. */
async function listOwnPaths({ url, token }: ServedFleet): Promise<readonly string[]> {
  const read = async <T>(path: string): Promise<{ readonly data: readonly T[] }> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).json() as never;
  const sessions = await read<{ readonly id: string; readonly attention: unknown }>("/api/sessions");
  const asking = sessions.data.find(({ attention }) => attention !== null);
  const [pullRequest] = (await read<{ readonly key: string }>("/api/pull-requests")).data;
  return [`/s/${asking?.id}`, `/p/${pullRequest?.key.replace("/", "/pr/")}`];
}

describeInBrowser("accessibility", () => {
  it("no screen has a serious violation, in dark, light and on a phone", async () => {
    const fleet = await seed(30);
    const paths = [...PATHS, ...(await listOwnPaths(fleet))];
    const found: string[] = [];
    for (const options of [
      { theme: "dark" },
      { theme: "light" },
      { theme: "dark", size: { width: 390, height: 844 }, isReducedMotion: true },
    ] as const) {
      const tab = await openLink(await fleet.link(), options);
      for (const path of paths) {
        await tab.goto(`${fleet.url}${path}`);
        await tab.locator("h1, h2").first().waitFor({ state: "attached" });
        await tab.evaluate("document.fonts.ready.then(() => undefined)");
        for (const violation of await listViolations(tab)) found.push(`${options.theme} ${path}: ${violation}`);
      }
    }
    expect([...new Set(found)]).toEqual([]);
  });
});
