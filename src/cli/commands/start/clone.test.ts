import { expect, it } from "vitest";
import { cloneName, explainFailure, isRepositoryUrl } from "./clone.ts";

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

it("rejects a URL without a folder name", () => {
  const url = "https://ghp_secret@example.com/..";
  expect(() => cloneName(url)).toThrow("cannot derive a folder name from https://example.com/..");
});

it.each([
  ["https://ada:secret@github.com/octo/app", "https://github.com/octo/app"],
  ["https://ghp_secret@github.com/octo/app", "https://github.com/octo/app"],
  ["ssh://git@github.com/octo/app", "ssh://git@github.com/octo/app"],
])("names %s as %s", (url, shown) => {
  expect(explainFailure("", url).message).toBe(`${shown} could not be cloned`);
});

const URL_WITH_PASSWORD = "https://ada:secret@forge.example.com/octo/app.git";

it.each([
  ["fatal: Authentication failed for 'https://…'", "you have no access to https://forge.example.com/octo/app.git"],
  ["fatal: could not read Username for 'https://…': terminal prompts disabled", "you have no access to"],
  ["git@forge.example.com: Permission denied (publickey).", "you have no access to"],
  ["remote: Repository not found.\nfatal: repository 'https://…' not found", "there is no repository"],
  [
    "fatal: unable to access 'https://…': Could not resolve host: forge.example.com",
    "forge.example.com cannot be reached",
  ],
  ["fatal: the disk is full", "could not be cloned"],
])("explains %j", (said, message) => {
  const failure = explainFailure(said, URL_WITH_PASSWORD);
  expect(failure.message).toContain(message);
  expect(JSON.stringify(failure)).not.toContain("secret");
});
