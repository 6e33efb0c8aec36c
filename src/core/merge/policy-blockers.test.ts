import { describe, expect, it } from "vitest";
import { aChange, aPolicy } from "../../testing/change-builders.ts";
import type { ChangeSize, ChangeState } from "../change/state.ts";
import type { HeldPath, HeldRule } from "../held/held.ts";
import type { MergePolicy } from "../policy.ts";
import { describePolicyBlocker, policyBlockers } from "./policy-blockers.ts";

const size: ChangeSize = { files: 3, added: 40, removed: 2, paths: ["a.ts", ".github/ci.yml", "src/auth/login.ts"] };

interface Facts {
  readonly measured?: ChangeSize | null | "not yet";
  readonly held?: HeldRule;
  readonly facts?: Partial<ChangeState>;
}

function blockers(merging: Partial<MergePolicy>, { measured = size, held, facts = {} }: Facts = {}): readonly string[] {
  const change = aChange(facts);
  const { head } = change;
  const tried = { kind: "clean", head, baseHead: "b1", files: [], reason: null } as const;
  const mergeability = measured === "not yet" ? tried : { ...tried, size: measured };
  return policyBlockers({ ...change, mergeability }, aPolicy({ merging, ...(held === undefined ? {} : { held }) })).map(
    describePolicyBlocker,
  );
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
    expect(blockers({ maxFiles: 100 }, { measured: null })).toEqual([unknown]);
    expect(blockers({ maxFiles: 100 }, { measured: "not yet" })).toEqual(["measuring how much it changes"]);
  });

  it("treat a cut list of files as containing everything", () => {
    expect(blockers({ paths: { "infra/**": "human" } }, { measured: { ...size, files: 4 } })).toEqual([unknown]);
    expect(blockers({ maxFiles: 9 }, { measured: { ...size, files: 4 } })).toEqual([]);
  });
});

describe("the built-in rule", () => {
  const held: HeldRule = { key: "k1", files: [], commands: [] };
  const rules: HeldPath = { path: "web/CLAUDE.md", source: { kind: "rules" } };
  const script: HeldPath = { path: "package.json", entry: "test", source: { kind: "check", name: "unit" } };
  const measuredWith = (paths: readonly HeldPath[], rule = "k1", count = paths.length): ChangeSize => ({
    ...size,
    held: { rule, paths, count },
  });
  const measured = measuredWith([rules, script]);

  it("holds what it measured, with the reason", () => {
    expect(blockers({}, { held, measured })).toEqual([
      "a person must approve web/CLAUDE.md (rules for agents), package.json (script `test`: check `unit` runs it)",
    ]);
    expect(blockers({}, { held, measured: measuredWith([]) })).toEqual([]);
  });

  it("is off in logs from before there was one", () => {
    expect(blockers({}, { measured })).toEqual([]);
  });

  it("is met by a person's approval of this commit, not by a bot's", () => {
    const review = { id: "v1", author: "ann", verdict: "approve", head: "head1", body: null, at: 1 } as const;
    expect(blockers({}, { held, measured, facts: { reviews: [review] } })).toEqual([]);
    expect(blockers({}, { held, measured, facts: { reviews: [{ ...review, head: "head0" }] } })).toHaveLength(1);
    expect(blockers({}, { held, measured, facts: { reviews: [{ ...review, isBot: true }] } })).toHaveLength(1);
  });

  it("waits for a measurement with the rule in force, and counts what cannot be measured as held", () => {
    expect(blockers({}, { held, measured: measuredWith([], "k0") })).toEqual(["measuring how much it changes"]);
    expect(blockers({}, { held })).toEqual(["measuring how much it changes"]);
    expect(blockers({}, { held, measured: "not yet" })).toEqual(["measuring how much it changes"]);
    expect(blockers({}, { held, measured: null })).toEqual([unknown]);
  });

  it("is lifted by name or by glob, for that path alone", () => {
    expect(blockers({ paths: { "web/CLAUDE.md": "none" } }, { held, measured })).toEqual([
      "a person must approve package.json (script `test`: check `unit` runs it)",
    ]);
    expect(blockers({ paths: { "**/CLAUDE.md": "none", "package.json": "none" } }, { held, measured })).toEqual([]);
    // What ao does not understand lifts nothing.
    expect(blockers({ paths: { "(a|b": "none" } }, { held, measured })).toHaveLength(1);
    expect(blockers({ paths: { "**": "none" } }, { held, measured: measuredWith([rules], "k1", 30) })).toEqual([
      "a person must approve 29 more",
    ]);
  });

  it("lifts no rule of the project's own", () => {
    const paths = { "**/CLAUDE.md": "human", "web/**": "none", "src/auth/**": "human", "src/**": "none" } as const;
    const touched = { ...measuredWith([rules]), files: 2, paths: ["web/CLAUDE.md", "src/auth/a.ts"] };
    expect(blockers({ paths }, { held, measured: touched })).toEqual([
      "web/CLAUDE.md needs a person's approval (`**/CLAUDE.md`)",
      "src/auth/a.ts needs a person's approval (`src/auth/**`)",
    ]);
  });
});
