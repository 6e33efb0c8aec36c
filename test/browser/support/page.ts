import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, describe, expect, onTestFinished } from "vitest";
import type { LinkView } from "../../../src/protocol/views/daemon.ts";
import { PATIENCE_MS } from "../../../src/testing/patience.ts";
import type { Fleet } from "../../support/fleet.ts";

const PROGRAMS = [
  process.env["AO_CHROMIUM"] ?? "",
  // Without windows it takes less than half the CPU time.
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const program = PROGRAMS.find((path) => path !== "" && existsSync(path)) ?? null;

export interface PageOptions {
  readonly theme?: "dark" | "light";
  readonly size?: { readonly width: number; readonly height: number };
  readonly isReducedMotion?: boolean;
  /** Zoom: device pixels per pixel of the page. */
  readonly scale?: number;
  /** A screen that is touched. */
  readonly hasTouch?: boolean;
}

/** Some tests are about a refused call or a killed daemon; the page shows both, and Chromium logs them in these words. */
const EXPECTED =
  /^Failed to load resource|net::ERR_(CONNECTION_(REFUSED|RESET|CLOSED)|EMPTY_RESPONSE)$|^WebSocket connection to '[^']*' failed: Connection closed/;

/** One browser for all tests of a group. */
let browser: Promise<Browser> | null = null;

/** A group of tests in Chromium; without it they are skipped, and their name says so. */
export function describeInBrowser(name: string, tests: () => void): void {
  const title = program === null ? `${name} (skipped: no Chromium on this machine)` : name;
  describe.skipIf(program === null)(title, () => {
    afterAll(async () => {
      await (await browser)?.close();
      browser = null;
    });
    tests();
  });
}

/**
 * A page that is signed in with a one-time link, as `ao open` creates it. At the end of the test it must have had no error and no request
 * to another origin.
 */
export async function openPage(fleet: Fleet, options: PageOptions = {}): Promise<Page> {
  const { status, body } = await fleet.api<LinkView>("POST", "/api/link", {});
  expect(status, JSON.stringify(body)).toBe(201);
  return openLink(body.url, options);
}

/** The same with an existing link. */
export async function openLink(url: string, options: PageOptions = {}): Promise<Page> {
  const page = await openBlankPage(options);
  expectNoFault(page, new URL(url).origin);
  await page.goto(url);
  return page;
}

/** A page of a browser that is not signed in anywhere. */
export async function openBlankPage(options: PageOptions = {}): Promise<Page> {
  browser ??= chromium.launch({ executablePath: program ?? "", args: ["--no-sandbox"] });
  const settings: BrowserContextOptions = {
    viewport: options.size ?? { width: 1440, height: 900 },
    colorScheme: options.theme ?? "dark",
    reducedMotion: options.isReducedMotion ? "reduce" : "no-preference",
    deviceScaleFactor: options.scale ?? 1,
    hasTouch: options.hasTouch ?? false,
    locale: "en-US",
  };
  const context = await (await browser).newContext(settings);
  onTestFinished(() => context.close());
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

function expectNoFault(page: Page, origin: string): void {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    const isFault = message.type() === "error" && !EXPECTED.test(message.text());
    if (isFault) faults.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol } = new URL(request.url());
    if (protocol.startsWith("http") && new URL(request.url()).origin !== origin) faults.push(`asked ${request.url()}`);
  });
  onTestFinished(() => expect(faults).toEqual([]));
}
