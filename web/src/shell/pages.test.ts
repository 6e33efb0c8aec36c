import { expect, it } from "vitest";
import { isOnPage, PAGES } from "./pages.ts";

it.each([
  ["/", "Fleet"],
  ["/s/app-1", "Fleet"],
  ["/inbox/app-1%2Fquestion", "Inbox"],
  ["/projects", "Projects"],
  ["/p/app/pr/3", "Projects"],
  ["/p/app/settings/config", "Settings"],
  ["/cost", "Cost"],
  ["/settings/agents", "Settings"],
])("%s is on the page %s", (path, label) => {
  expect(PAGES.filter(({ href }) => isOnPage(path, href)).map((page) => page.label)).toEqual([label]);
});
