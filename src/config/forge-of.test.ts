import { expect, test } from "vitest";
import { forgeOf } from "./forge-of.ts";

const ENV = { GH_HOST: "github.example.com", GITLAB_HOST: "https://git.example.com/" };

test.each([
  ["https://github.com/octo/app.git", "github", "octo/app", null],
  ["https://user:secret@github.com/octo/app/", "github", "octo/app", null],
  ["git@github.com:octo/app.git", "github", "octo/app", null],
  ["ssh://git@github.com:22/octo/app.git", "github", "octo/app", null],
  ["https://gitlab.com/group/sub/app.git", "gitlab", "group/sub/app", null],
  ["git@github.example.com:octo/app.git", "github", "octo/app", "https://github.example.com"],
  ["http://git.example.com/group/app", "gitlab", "group/app", "http://git.example.com"],
])("finds the forge of %j", (remote, forge, repo, baseUrl) => {
  expect(forgeOf(remote, ENV)).toMatchObject({ forge, repo, baseUrl });
});

test.each([
  "/srv/git/app.git",
  "file:///srv/git/app.git",
  "https://github.com.evil.example/octo/app",
  "https://example.org/octo/app.git",
  "https://github.com/octo",
  "https://github.com/octo/app/tree/main",
])("finds none for %j", (remote) => {
  expect(forgeOf(remote, ENV)).toBeNull();
});
