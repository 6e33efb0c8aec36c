import { describe, expect, it } from "vitest";
import { aChange, aPolicy } from "../../testing/change-builders.ts";
import type { ChangeSize } from "../change/state.ts";
import type { MergePolicy } from "../policy.ts";
import { describePolicyBlocker, policyBlockers } from "./policy-blockers.ts";

const size: ChangeSize = { files: 3, added: 40, removed: 2, paths: ["a.ts", ".github/ci.yml", "src/auth/login.ts"] };

function blockers(merging: Partial<MergePolicy>, measured: ChangeSize | null | "not yet" = size): readonly string[] {
  const change = aChange();
  const { head } = change;
  const tried = { kind: "clean", head, baseHead: "b1", files: [], reason: null } as const;
  const mergeability = measured === "not yet" ? tried : { ...tried, size: measured };
  return policyBlockers({ ...change, mergeability }, aPolicy({ merging }).merging).map(describePolicyBlocker);
}

const unknown = "size of the change unknown";

describe("the rules of a project", () => {
  it.each<[string, Partial<MergePolicy>, readonly string[]]>([
    ["no rules", {}, []],
    [
      "a path with a star",
      { paths: { "src/auth/**": "human" } },
      ["src/auth/login.ts needs a person's approval (`src/auth/**`)"],
    ],
    ["a hidden folder", { paths: { "**/*.yml": "human" } }, [".github/ci.yml needs a person's approval (`**/*.yml`)"]],
    ["a path that is not touched", { paths: { "infra/**": "human" } }, []],
    [
      "a glob that ao does not understand",
      { paths: { "src/(a|b": "human" } },
      ["a.ts needs a person's approval (glob `src/(a|b`: `(` is not closed; write `\\(` for itself)"],
    ],
    ["as many files as it may", { maxFiles: 3 }, []],
    ["more files", { maxFiles: 2 }, ["changes 3 files; more than 2 need a person's approval"]],
    ["as many lines as it may", { maxLines: 42 }, []],
    ["more lines", { maxLines: 41 }, ["changes 42 lines; more than 41 need a person's approval"]],
    ["a rule that is met", { rules: [{ unless: "pr.base == 'main'", say: "no" }] }, []],
    ["a rule that is not", { rules: [{ unless: "pr.base == 'next'", say: "not yet" }] }, ["not yet"]],
    [
      "a rule that cannot be evaluated in bounded time",
      { rules: [{ unless: "pr.title.matches('^(?!wip)')", say: "no drafts" }] },
      [
        "no drafts (`ao` cannot evaluate its condition: regular expression `^(?!wip)`: invalid or unsupported Perl syntax: `(?!`; " +
          "patterns are RE2, without lookahead, lookbehind and backreferences (https://github.com/google/re2/wiki/Syntax))",
      ],
    ],
    ["a rule that cannot be judged", { rules: [{ unless: "session.turns > 0", say: "who knows" }] }, ["who knows"]],
  ])("with %s", (_name, merging, expected) => {
    expect(blockers(merging)).toEqual(expected);
  });

  it("treat an unmeasured change as too large", () => {
    expect(blockers({ maxFiles: 100 }, null)).toEqual([unknown]);
    expect(blockers({ maxFiles: 100 }, "not yet")).toEqual(["measuring how much it changes"]);
  });

  it("treat a cut list of files as containing everything", () => {
    expect(blockers({ paths: { "infra/**": "human" } }, { ...size, files: 4 })).toEqual([unknown]);
    expect(blockers({ maxFiles: 9 }, { ...size, files: 4 })).toEqual([]);
  });
});
