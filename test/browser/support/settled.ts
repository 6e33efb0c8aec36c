import type { Page, Request } from "playwright-core";
import { until } from "../../support/until.ts";

/** Follows the requests of a page; returns how to wait until all are answered and shown. */
export function followRequests(page: Page): (rounds?: number) => Promise<void> {
  const asked = new Set<Request>();
  page.on("request", (request) => !request.url().includes("/api/live") && asked.add(request));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  // What was just rendered asks for more.
  return async (rounds = 3) => {
    for (let round = 0; round < rounds; round += 1) {
      await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 40)))");
      await until("the answers", () => asked.size === 0);
    }
  };
}
