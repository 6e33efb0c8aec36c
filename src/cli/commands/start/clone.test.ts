import { expect, it } from "vitest";
import { cloneName, isRepositoryUrl } from "./clone.ts";

it.each([
  ["https://github.com/your-org/your-repo", true],
  ["git@github.com:org/app.git", true],
  ["ssh://host/x.git", true],
  ["file:///tmp/x", true],
  ["~/code/app", false],
  ["./a@b:c/d", false],
  ["my-app", false],
])("%s: is it a URL? %s", (written, isUrl) => {
  expect(isRepositoryUrl(written)).toBe(isUrl);
});

it.each([
  ["https://github.com/your-org/your-repo", "your-repo"],
  ["https://example.com/a/app.git/", "app"],
  ["git@github.com:app.git", "app"],
])("%s is cloned to %s", (url, name) => {
  expect(cloneName(url)).toBe(name);
});

it("refuses a URL that names no folder of its own", () => {
  expect(() => cloneName("https://example.com/..")).toThrow("cannot tell a folder");
});
