import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPathTest, isPathRule, resolvePath } from "./path-rules.ts";

const place = { cwd: "/work", home: "/home/u", ignoresCase: false };

function covers(rule: string, path: string, more: object = {}): boolean {
  const where = { ...place, ...more };
  return createPathTest([rule], where)(resolvePath(path, where));
}

describe("a path rule", () => {
  it.each([
    // Folders and their content.
    ["./secret", "secret", true],
    ["./secret", "secret/a/b.key", true],
    ["./secret", "secrets", false],
    ["./secret/", "secret/a", true],
    ["./secret/**", "secret/a/b.key", true],
    ["./secret/**", "secret", true],
    ["./secret/**", "secret2/a", false],
    ["./secret/*", "secret/a", true],
    ["./secret/*/b", "secret/x/b", true],
    ["./secret/*/b", "secret/x/y/b", false],
    ["./**", "a/b", true],
    ["/**", "/etc/passwd", true],
    // Stars next to other characters.
    ["./src/*.key", "src/a.key", true],
    ["./src/*.key", "src/a/b.key", false],
    ["./src/**.key", "src/a.key", true],
    ["./src/**.key", "src/a/b/c.key", true],
    ["./src/**.key", "src/a/b/c.txt", false],
    ["./a**z/x", "a1/2z/x", true],
    ["./a**z/x", "az/x", true],
    ["./src/**/b", "src/b", true],
    ["./src/**/b", "src/x/y/b", true],
    ["./src/**/b", "src/xb", false],
    ["./a?c", "abc", true],
    ["./a?c", "a/c", false],
    // Names that start with a dot.
    ["./**", ".env", true],
    ["./**/*.key", ".ssh/id.key", true],
    ["./*", ".git", true],
    ["./.env*", ".env.local", true],
    // Characters that are special in other pattern syntaxes.
    ["./app/[id]", "app/[id]/page.tsx", true],
    ["./app/[id]", "app/i/page.tsx", false],
    ["./{a,b}", "{a,b}", true],
    ["./{a,b}", "a", false],
    ["./(x|y)", "(x|y)/z", true],
    ["./(x|y)", "x", false],
    ["./@(x)", "@(x)", true],
    ["./+(x)", "xx", false],
    ["./!x", "!x", true],
    ["./!x", "y", false],
    ["./a\\b", "a\\b", true],
    ["./a+b$c^d", "a+b$c^d", true],
    ['./a"b', 'a"b', true],
    ["./a.b", "axb", false],
    ["./a b/ü", "a b/ü/x", true],
    ["./a\nb", "a\nb", true],
    // Attempts to get around a rule.
    ["./secret", "src/../secret/key", true],
    ["./secret", "./././secret//key", true],
    ["./secret", "/work/secret/key", true],
    ["./secret", "../work/secret/key", true],
    ["./src/../secret", "secret/key", true],
    ["../other", "/other/x", true],
    ["~/x", "/home/u/x/y", true],
    ["~/x", "~/x", true],
    ["~/x", "/home/uu/x", false],
    ["/etc", "/etc/passwd", true],
    ["/etc", "/work/etc", false],
    ["./Secret", "secret", false],
  ])("%j and the path %j: %s", (rule, path, isCovered) => {
    expect(covers(rule, path)).toBe(isCovered);
  });

  it("is case-sensitive only if the file system is", () => {
    expect(covers("./Secret/**", "sECRET/Key", { ignoresCase: true })).toBe(true);
  });

  it("takes its base folder literally, whatever characters its name contains", () => {
    const cwd = "/work/a*b/[x]{y}?";
    expect(covers("./secret", "secret/key", { cwd })).toBe(true);
    expect(createPathTest(["./secret"], { ...place, cwd })("/work/aXb/[x]{y}?/secret")).toBe(false);
  });

  it("without a star covers exactly the file of that name, for any name", () => {
    const name = fc
      .string({ minLength: 1, maxLength: 12, unit: "binary" })
      .filter((text) => !/[*?/\0]/.test(text) && !/^\.+$/.test(text));
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(covers(`./${one}`, `./${one}/x`)).toBe(true);
        if (one !== other) expect(covers(`./${one}`, `./${other}`)).toBe(false);
      }),
    );
  });
});

it.each([
  ["./x", true],
  ["../x", true],
  ["/x", true],
  ["~/x", true],
  ["npm test", false],
  [".x", false],
  ["~x", false],
])("%s is a path rule: %s", (entry, expected) => {
  expect(isPathRule(entry)).toBe(expected);
});
