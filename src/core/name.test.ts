import { describe, expect, it } from "vitest";
import { isSameIssue, issueReference, nameSession, normalizeIssue, slugify } from "./name.ts";

describe("slugify", () => {
  it.each([
    ["Fix the login", "fix-the-login"],
    ["  Fix   the login!  ", "fix-the-login"],
    ["Überprüfe Café №5", "uberprufe-cafe-no5"],
    ["#42", "42"],
    ["ENG-42", "eng-42"],
    ["修复登录", "task"],
    ["", "task"],
    ["../../etc/passwd", "etc-passwd"],
  ])("turns %j into %j", (title, slug) => expect(slugify(title)).toBe(slug));

  it("cuts a long title at a word, within 40 characters", () => {
    const slug = slugify("Make the settings page remember what the user chose last time");
    expect(slug).toBe("make-the-settings-page-remember-what");
    expect(slugify("x".repeat(100))).toBe("x".repeat(40));
  });
});

describe("normalizeIssue", () => {
  it.each([
    ["42", "42"],
    ["#42", "42"],
    [" 42 ", "42"],
    ["GH-42", "42"],
    ["gh-42", "42"],
    ["ENG-42", "ENG-42"],
    ["https://github.com/o/r/issues/42", "42"],
    ["https://github.com/o/r/issues/42#issuecomment-7", "42"],
    ["https://gitlab.com/g/r/-/issues/42", "42"],
    ["https://gitlab.com/g/r/-/work_items/42", "42"],
    ["https://linear.app/team/issue/ENG-42/fix-it", "ENG-42"],
    ["https://team.atlassian.net/browse/ENG-42", "ENG-42"],
  ])("parses %j as %j", (written, id) => expect(normalizeIssue(written)).toBe(id));
});

describe("issueReference", () => {
  it.each([
    ["42", "#42"],
    ["ENG-42", "ENG-42"],
  ])("writes %j as %j", (id, reference) => expect(issueReference(id)).toBe(reference));
});

describe("isSameIssue", () => {
  const linear = "https://linear.app/acme/issue/ENG-42";
  const github = "https://github.com/octo/demo/issues/4";
  it.each([
    ["with its title behind the id", `${linear}/fix-login`, `${linear}/fix-the-login`, true],
    ["without its title", linear, `${linear}/fix-login`, true],
    ["with a place on the page", `${github}#issuecomment-1`, github, true],
    ["of another workspace", "https://linear.app/other/issue/ENG-42", linear, false],
    ["of another number", `${github}2`, github, false],
    ["of another repository", "https://github.com/octo/other/issues/4", github, false],
  ])("compares a URL %s", (_name, one, another, wanted) => expect(isSameIssue(one, another)).toBe(wanted));
});

describe("nameSession", () => {
  const request = { prefix: "demo", title: "Fix the login", issue: null, branch: null, isTaken: () => false };

  it("names an ad-hoc session after its title", () => {
    expect(nameSession(request)).toEqual({
      id: "demo-fix-the-login",
      branch: "agent/fix-the-login",
      folder: "fix-the-login",
    });
  });

  it("names a session of an issue after the issue", () => {
    expect(nameSession({ ...request, issue: "42" })).toEqual({
      id: "demo-42",
      branch: "agent/issue-42",
      folder: "issue-42",
    });
  });

  it("counts up until the id is free, for id, branch and folder alike", () => {
    const taken = new Set(["demo-42", "demo-42-2"]);
    expect(nameSession({ ...request, issue: "42", isTaken: (id) => taken.has(id) })).toEqual({
      id: "demo-42-3",
      branch: "agent/issue-42-3",
      folder: "issue-42-3",
    });
  });

  it("uses the requested branch as is", () => {
    const names = nameSession({ ...request, branch: "feature/X", isTaken: (id) => id === "demo-fix-the-login" });
    expect(names).toEqual({ id: "demo-fix-the-login-2", branch: "feature/X", folder: "fix-the-login-2" });
  });
});

it("a branch that nobody named is never one that no session may have", () => {
  const request = { prefix: "web", title: "Fix it", issue: null, branch: null, isTaken: () => false };
  expect(nameSession({ ...request, isShared: (branch) => branch === "agent/fix-it" })).toEqual({
    id: "web-fix-it-2",
    branch: "agent/fix-it-2",
    folder: "fix-it-2",
  });
});
