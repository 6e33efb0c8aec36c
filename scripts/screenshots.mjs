// Pictures of the dashboard on a seeded fleet, from the running product.
//   npm run screenshots              the pictures of README and docs, into docs/images
//   npm run screenshots -- FOLDER    every screen in dark, light and on a phone, the fleet with 0, 3, 30, 60 and 500 sessions, and dialogs
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { build, ensurePackages, isBuilt, root } from "./lib.mjs";
import { loadServeFleet } from "./serve-fleet.mjs";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const SIZES = [0, 3, 30, 60, 500];
const PAGES = {
  inbox: "/inbox",
  projects: "/projects",
  project: "/p/tern",
  cost: "/cost",
  capacity: "/capacity",
  settings: "/p/tern/settings/config",
  "settings-appearance": "/settings/appearance",
  "inbox-resolved": "/inbox?show=resolved",
  "new-session": "/new",
};

/** What the page shows at certain moments. */
const MOMENTS = {
  palette: { act: (page) => page.keyboard.press("Control+k") },
  keys: { act: (page) => page.keyboard.press("?") },
  loading: { before: (page) => page.route("**/api/**", () => undefined) },
  offline: { before: (page) => page.route("**/api/live*", (route) => route.abort()), awaits: "[data-offline]" },
};

ensurePackages();
if (!isBuilt()) build();
const [target] = process.argv.slice(2);
const out = target === undefined ? join(root, "docs/images") : resolve(target);
mkdirSync(out, { recursive: true });
const serveFleet = await loadServeFleet();
const browser = await chromium.launch({
  executablePath: process.env.AO_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
if (target === undefined) {
  await withFleet(30, async (fleet) => {
    await shoot(fleet, { name: "dashboard", path: "/", theme: "dark", size: { width: 1280, height: 560 } });
  });
} else {
  for (const count of SIZES) await withFleet(count, (fleet) => shootAll(fleet, count));
}
await browser.close();

async function withFleet(count, use) {
  const home = mkdtempSync(join(tmpdir(), "ao-pictures-"));
  const fleet = await serveFleet({ home, count, port: null, page: join(root, "dist/web") });
  try {
    await use(fleet);
  } finally {
    await fleet.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function shootAll(fleet, count) {
  const pages = { [`fleet-${count}`]: "/", ...(count === 30 ? { ...PAGES, ...(await ownPages(fleet)) } : {}) };
  for (const [name, path] of Object.entries(pages)) {
    for (const theme of ["dark", "light"]) await shoot(fleet, { name: `${name}-${theme}`, path, theme, size: DESKTOP });
    await shoot(fleet, { name: `phone-${name}`, path, theme: "dark", size: PHONE });
  }
  if (count !== 30) return;
  for (const [name, moment] of Object.entries(MOMENTS)) {
    await shoot(fleet, { name: `${name}-dark`, path: "/", theme: "dark", size: DESKTOP, moment });
  }
}

/** A session that asks something, and a pull request with a comment. */
async function ownPages({ url, token }) {
  const read = async (path) => {
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return answer.json();
  };
  const asking = (await read("/api/sessions")).data.find(({ attention }) => attention !== null);
  const { data: pullRequests } = await read("/api/pull-requests?project=tern");
  const details = await Promise.all(pullRequests.map(({ key }) => read(`/api/pull-requests/${key}`)));
  const pullRequest = details.find(({ threads }) => threads.length > 0) ?? details[0];
  return { session: `/s/${asking.id}`, review: `/p/${pullRequest.key.replace("/", "/pr/")}` };
}

async function shoot(fleet, { name, path, theme, size, moment = {} }) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(await fleet.link());
  await moment.before?.(page);
  await page.goto(`${fleet.url}${path}`);
  await page.locator("h1").first().waitFor({ state: "attached" });
  await moment.act?.(page);
  if (moment.awaits !== undefined) await page.locator(moment.awaits).waitFor();
  // The page is never idle, because its stream stays open; its first content is there when its fonts are.
  await page.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 500)))");
  const file = join(out, `${name}.png`);
  await page.screenshot({ path: file });
  await context.close();
  console.log(file);
}
