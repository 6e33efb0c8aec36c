import { describe, expect, it } from "vitest";
import { isHostPattern, isListed } from "./host-list.ts";

describe("a list of hosts", () => {
  it.each(["github.com", "*.github.com", "localhost", "10.0.0.7", "::1", "GitHub.com", "xn--bcher-kva.example"])(
    "may contain %s",
    (pattern) => expect(isHostPattern(pattern)).toBe(true),
  );

  it.each([
    "",
    "*",
    "*.",
    "https://github.com",
    "github.com:443",
    "github.com/path",
    "a b",
    "git*.com",
    "*.*.com",
    ".github.com",
    "github..com",
    "-m.com",
    "a\nb",
    "a".repeat(300),
  ])("cannot contain %j", (pattern) => expect(isHostPattern(pattern)).toBe(false));

  it.each([
    [["github.com"], "github.com", true],
    [["github.com"], "GITHUB.com.", true],
    [["github.com"], "api.github.com", false],
    [["github.com"], "github.com.evil.example", false],
    [["github.com"], "notgithub.com", false],
    [["*.github.com"], "api.github.com", true],
    [["*.github.com"], "a.b.github.com", true],
    [["*.github.com"], "github.com", false],
    [["*.github.com"], ".github.com", false],
    [["*.github.com"], "evilgithub.com", false],
    [["::1"], "[::1]", true],
    [["10.0.0.7"], "10.0.0.70", false],
    [[], "github.com", false],
  ] as const)("%j: %s is listed: %s", (patterns, host, answer) => expect(isListed(patterns, host)).toBe(answer));
});
