import { describe, expect, it } from "vitest";
import { isSameBranch, refuseBranch, shortName } from "./own-branch.ts";

const FACTS = { projectId: "r2", defaultBranch: "main" };

/** Every way to write a branch. */
const WAYS: readonly (readonly [string, (name: string) => string])[] = [
  ["its name", (name) => name],
  ["its full ref", (name) => `refs/heads/${name}`],
  ["its ref without refs/", (name) => `heads/${name}`],
  ["the remote's branch", (name) => `origin/${name}`],
  ["another remote's branch", (name) => `upstream/${name}`],
  ["the remote's ref", (name) => `refs/remotes/origin/${name}`],
  ["the remote's ref without refs/", (name) => `remotes/origin/${name}`],
  ["other case", (name) => name.toUpperCase()],
  ["a full ref in other case", (name) => `refs/heads/${name.toUpperCase()}`],
];

describe("a session never works on", () => {
  it.each(WAYS)("the default branch, written as %s", (_, write) => {
    for (const defaultBranch of ["main", "release/2.x", "größe", "origin-main"]) {
      expect(refuseBranch(write(defaultBranch), { ...FACTS, defaultBranch })).toEqual({
        code: "usage",
        message: `${defaultBranch} is the default branch of r2; sessions work on their own branch.`,
        hint: expect.stringContaining("Leave out --branch"),
      });
    }
  });

  it.each(WAYS)("a protected branch, written as %s", (_, write) => {
    const refused = refuseBranch(write("develop"), { ...FACTS, isProtected: true });
    expect(refused).toMatchObject({ code: "usage", message: expect.stringMatching(/^develop is a protected/i) });
  });

  it.each(WAYS.slice(1, 7))("any branch written as %s, whose name git would take literally", (_, write) => {
    expect(refuseBranch(write("fix"), FACTS)).toMatchObject({ code: "usage", hint: expect.stringMatching(/ fix\b/) });
  });

  it.each([
    "HEAD",
    "@",
    "-f",
    "--force",
    "--branch",
    "",
    "a b",
    "a..b",
    "@{-1}",
    "main^",
    "main~1",
    ":main",
    ".main",
    "main.lock",
  ])("what is not the name of a branch: %j", (written) => {
    expect(refuseBranch(written, FACTS)).toMatchObject({
      code: "usage",
      message: `"${written}" is not a valid branch name.`,
    });
  });

  it.each(["refs/tags/v1", "refs/ao/merged/1", "refs/heads", "refs/stash"])(
    "a ref that is no branch: %s",
    (written) => {
      const refused = refuseBranch(written, FACTS);
      expect(refused).toMatchObject({ code: "usage", message: `"${written}" is a ref, not the name of a branch.` });
    },
  );

  it("a branch that is checked out elsewhere", () => {
    expect(refuseBranch("fix", { ...FACTS, checkedOutAt: "/code/app" })).toEqual({
      code: "conflict",
      message: "fix is checked out at /code/app.",
      hint: expect.stringContaining("git -C /code/app switch main"),
    });
  });

  it("a symbolic ref, whatever it stands for", () => {
    expect(refuseBranch("alias", { ...FACTS, standsFor: "main" })).toMatchObject({
      code: "usage",
      message: "alias is a symbolic ref to main. main is the default branch of r2; sessions work on their own branch.",
    });
    expect(refuseBranch("alias", { ...FACTS, standsFor: "fix" })).toMatchObject({
      message: "alias is a symbolic ref to fix.",
      hint: "Name that branch: --branch fix.",
    });
  });

  it("a name of the repository's own remotes, whatever they are called", () => {
    const facts = { ...FACTS, remotes: ["company"] };
    expect(refuseBranch("company/main", facts)).toMatchObject({ message: expect.stringContaining("default branch") });
    expect(refuseBranch("company/fix", facts)).toMatchObject({ message: expect.stringContaining("remote company") });
    expect(refuseBranch("origin/fix", facts)).toBeNull();
  });
});

it.each(["fix", "agent/fix-login", "mainline", "feature/main", "main-2", "main/fix", "head", "größe"])(
  "may work on %s",
  (name) => {
    expect(refuseBranch(name, FACTS)).toBeNull();
  },
);

it("takes names that a file system may not distinguish for the same branch", () => {
  expect(isSameBranch("Main", "main")).toBe(true);
  expect(isSameBranch("gro\u0308ße", "gr\u00f6ße")).toBe(true);
  expect(isSameBranch("main", "main2")).toBe(false);
  expect(shortName("origin/heads/main")).toBe("heads/main");
});
