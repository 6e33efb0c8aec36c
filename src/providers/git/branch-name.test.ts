import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { isBranchName } from "../../core/branch-name.ts";
import { tempDir } from "../../testing/temp.ts";

const NAMES = [
  ...["main", "agent/fix-login", "a.b", "a-", "größe", "日本", "a@b", "v1.0", "a{b}", "a}b", "x!$&'()+,;=#%"],
  ...["-m", "--detach", "", "HEAD", "a..b", "x.lock", "a/x.lock/b", ".a", "a/.b", "a.", "/a", "a/", "a//b", "a b"],
  ...["a~1", "a^", "a:b", "a?", "a*", "a[b", "a\\b", "a@{1}", "a\tb", "a\nb", "a\u001b[2J", "a\u007f"],
];

/** Git's own verdict on each name. */
function askGit(names: readonly string[]): readonly boolean[] {
  const script = 'for name; do git check-ref-format --branch "$name" >/dev/null 2>&1 && echo yes || echo no; done';
  const answer = execFileSync("sh", ["-c", script, "sh", ...names], { cwd: tempDir("ao-names-"), encoding: "utf8" });
  return answer
    .trim()
    .split("\n")
    .map((word) => word === "yes");
}

describe("the name of a branch", () => {
  it("is valid exactly when git accepts it", () => {
    expect(NAMES.map((name) => [name, isBranchName(name)])).toEqual(askGit(NAMES).map((is, n) => [NAMES[n], is]));
  });

  it("is not @, which git reads as HEAD", () => {
    expect(isBranchName("@")).toBe(false);
  });

  it.each(["a\u202eb", "a\u200bb", "a\u009b2J", "a\u2028b"])("has no invisible characters: %j", (name) => {
    expect(isBranchName(name)).toBe(false);
  });
});
