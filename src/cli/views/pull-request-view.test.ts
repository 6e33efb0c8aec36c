import { describe, expect, it } from "vitest";
import { aCheck, aProblem, aPull } from "../../../test/support/pull-request-views.ts";
import { parseComment } from "../args/parse-comment.ts";
import { hasDisplay, tunnelHint } from "../client/browser.ts";
import { describeInterrupted, notMerged } from "../commands/merge.ts";
import { logOf } from "../commands/pr/pull-request-reading.ts";
import { areChecksOver, didChecksPass, renderChecks } from "../commands/pr/watch-checks.ts";
import { findThread, toReview } from "../commands/review.ts";
import { describeCheckState, describeChecks, describePull } from "./pull-request-short.ts";
import { renderPullRequest, renderPullRequests } from "./pull-request-view.ts";
import { style } from "./style.ts";

const plain = style({});
const at = "2026-01-01T00:00:00Z";

describe("the checks of a pull request in short", () => {
  it.each([
    [[], ""],
    [["passed", "passed"], "2/2"],
    [["passed", "running"], "1/2 running"],
    [["failed", "running"], "0/2 failed"],
    [["setup-failed"], "0/1 setup-failed"],
    [["cancelled"], "0/1"],
  ])("%j are %j", (states, text) => {
    expect(describeChecks(states.map((state, index) => aCheck(`c${index}`, state)))).toBe(text);
  });

  it("say that a red one is optional, after what matters more", () => {
    const red = { ...aCheck("flaky", "failed"), required: false };
    expect(describeChecks([aCheck("unit"), red])).toBe("1/2 (optional failed)");
    expect(describeChecks([aCheck("unit", "running"), red])).toBe("0/2 running");
    expect(describeChecks([aCheck("unit", "timed-out"), red])).toBe("0/2 timed-out");
  });

  it("say what a running one does, and for how long", () => {
    const running = { ...aCheck("unit", "running"), tookMs: null, startedAt: at };
    const now = Date.parse(at) + 125_000;
    expect(describeCheckState({ ...running, phase: "set-up" }, now)).toBe("running: set-up, 2 min 5 s");
    expect(describeCheckState({ ...running, phase: "run" }, now)).toBe("running: 2 min 5 s");
    expect(describeCheckState(aCheck("unit"), now)).toBe("passed");
    expect(describeChecks([aCheck("lint"), { ...running, phase: "set-up" }], now)).toBe(
      "1/2 running: set-up, 2 min 5 s",
    );
    const shown = renderChecks({ key: "app/3", checks: [{ ...running, phase: "set-up" }, aCheck("lint")] }, plain, now);
    expect(shown).toEqual(["running  unit  set-up, 2 min 5 s", "passed   lint  1.0s"]);
  });

  it("are over when all have ended, and passed when the required ones have", () => {
    const red = { ...aCheck("flaky", "failed"), required: false };
    expect(areChecksOver({ phase: "open", checks: [aCheck("unit", "queued")] })).toBe(false);
    expect(areChecksOver({ phase: "closed", checks: [aCheck("unit", "queued")] })).toBe(true);
    expect(areChecksOver({ phase: "open", checks: [aCheck("unit"), red] })).toBe(true);
    expect(didChecksPass([aCheck("unit"), red])).toBe(true);
    expect(didChecksPass([aCheck("unit", "setup-failed")])).toBe(false);
  });

  it("are those of the open one of several, or of the last", () => {
    const closed = aPull({ number: 1, phase: "closed" });
    expect(describePull([])).toBe("");
    expect(describePull([closed, aPull({ checks: [aCheck("unit")] })])).toBe("#3 1/1");
    expect(describePull([closed, aPull({ phase: "merged" })])).toBe("#3 merged");
    expect(describePull([aPull()])).toBe("#3");
  });
});

it("lists pull requests with their state, checks and session", () => {
  expect(renderPullRequests([aPull({ checks: [aCheck("unit")] })], plain, undefined)).toEqual([
    "PR     STATUS          CHECKS  SESSION  TITLE",
    "app/3  review-pending  1/1     app-fix  Fix it",
  ]);
});

it("shows a pull request with its checks, problems, reviews and threads", () => {
  const pull = aPull({
    body: "Two lines\nof text",
    checks: [aCheck("unit"), aCheck("lint", "failed")],
    problems: [aProblem({ attempts: 1 })],
    mergeRequest: { by: "ada", strategy: "squash", reason: "a person edits a.ts", override: null },
    reviews: [{ id: "rv-1", author: "bob", verdict: "request-changes", body: "Please", head: "1234567890abcdef", at }],
    threads: [
      {
        id: "rv-1.1",
        reviewId: "rv-1",
        path: "a.ts",
        line: 3,
        resolvedBy: "bob",
        comments: [
          { id: "c1", author: "bob", byAgent: false, text: "why?\nreally", at },
          { id: "c2", author: "app-fix", byAgent: true, text: "because", at },
        ],
      },
    ],
  });
  expect(renderPullRequest(pull, plain)).toEqual([
    "app/3  Fix it",
    "  status    review-pending  needs 1 approval",
    "  branch    agent/fix into main (1234567890)",
    "  session   app-fix",
    "  checks    passed   unit  1.0s",
    "            failed   lint  1.0s  ao pr show app/3 --log lint",
    "  merge     requested by ada (squash); waiting: a person edits a.ts",
    "  blocking  needs 1 approval",
    "  problem   check unit failed; 1 sent to the agent",
    "",
    "  Two lines",
    "  of text",
    "",
    "bob requested changes at 1234567890",
    "  Please",
    "  a.ts:3  thread rv-1.1, resolved by bob",
    "    bob: why?",
    "      really",
    "    app-fix (agent): because",
  ]);
});

describe("a line comment", () => {
  it.each([
    ["src/a.ts:12:may be null", { path: "src/a.ts", line: 12, text: "may be null" }],
    ["a:b.ts:1:x:2:y", { path: "a:b.ts", line: 1, text: "x:2:y" }],
    ["a.ts:1:two\nlines", { path: "a.ts", line: 1, text: "two\nlines" }],
  ])("%j is %o", (written, comment) => {
    expect(parseComment(written)).toEqual(comment);
  });

  it.each(["a.ts", "a.ts:1", "a.ts:1:", "a.ts:1:  ", "a.ts:0:x", ":1:x", "a.ts:one:x"])("%j is not one", (written) => {
    expect(() => parseComment(written)).toThrow(/FILE:LINE:TEXT/);
  });
});

describe("the options of a review", () => {
  it.each([
    ["no option only shows the pull request", undefined, {}, null],
    ["--approve approves", undefined, { approve: true }, { verdict: "approve" }],
    ["a text goes with it", "nice", { approve: true }, { verdict: "approve", body: "nice" }],
    ["a text alone is a comment", "hm", {}, { verdict: "comment", body: "hm" }],
    [
      "--request-changes requests changes",
      undefined,
      { "request-changes": "fix" },
      { verdict: "request-changes", body: "fix" },
    ],
    [
      "--comment alone is a comment",
      undefined,
      { comment: ["a.ts:1:x"] },
      { verdict: "comment", comments: [{ path: "a.ts", line: 1, text: "x" }] },
    ],
    [
      "comments are enough to request changes",
      undefined,
      { "request-changes": "", comment: ["a.ts:1:x"], head: "1a2b3c4", author: "ada" },
      {
        verdict: "request-changes",
        comments: [{ path: "a.ts", line: 1, text: "x" }],
        head: "1a2b3c4",
        author: "ada",
      },
    ],
  ] as const)("%s", (_name, text, options, review) => {
    expect(toReview(text, options)).toEqual(review);
  });

  it("do not request changes without a text", () => {
    expect(() => toReview(undefined, { "request-changes": " " })).toThrow(/needs a text/);
  });
});

it("finds a thread by a unique prefix of its id", () => {
  const thread = { reviewId: "rv-1", path: null, line: null, resolvedBy: null, comments: [] };
  const threads = [
    { ...thread, id: "rv-1.1" },
    { ...thread, id: "rv-1.10" },
    { ...thread, id: "rv-2.1" },
  ];
  expect(findThread({ threads }, "rv-1.1")).toBe("rv-1.1");
  expect(findThread({ threads }, "rv-2")).toBe("rv-2.1");
  expect(findThread({ threads }, "rv-1")).toBe("rv-1");
});

describe("a merge that was interrupted", () => {
  const mergeRequest = { by: "ada", strategy: "squash", reason: null, override: null };
  it.each([
    [
      { mergeRequest, blockers: ["check `lint` running"] },
      /^The merge of #3 is still requested and happens once this clears: check `lint` running\nCancel it with: ao merge --cancel app-fix$/,
    ],
    [{ mergeRequest, blockers: [] }, /is about to happen/],
    [{ phase: "merged", mergeCommit: "1234567890abcdef" }, /^#3 is merged as 1234567890$/],
    [{ blockers: ["needs 1 approval"] }, /^#3 is not merged: needs 1 approval$/],
  ] as const)("shows what continues: %o", (facts, text) => {
    expect(describeInterrupted(aPull(facts))).toMatch(text);
  });
});

describe("a merge that did not happen", () => {
  it.each([
    [
      { mergeRequest: { by: "ada", strategy: "squash", reason: "you edit a.ts", override: null } },
      /you edit a.ts/,
      /automatically.*ao merge --cancel/,
    ],
    [{ refusal: "it conflicts" }, /it conflicts/, /ao pr show app\/3/],
    [{ blockers: ["check unit failed", "x"] }, /check unit failed; x/, /ao pr show/],
    [{ blockers: [], evidence: "closed without a merge" }, /closed without a merge/, /ao pr show/],
  ])("explains why: %o", (facts, message, hint) => {
    const error = notMerged(aPull(facts));
    expect(error.message).toMatch(message);
    expect(error.hint).toMatch(hint);
  });
});

it("returns the log of a check, or lists the checks with one", () => {
  expect(logOf({ unit: "boom" }, "unit")).toBe("boom");
  expect(() => logOf({ unit: "boom" }, "toString")).toThrow(
    expect.objectContaining({ hint: "Checks with a log: unit." }),
  );
});

it.each([
  [{}, "linux", false],
  [{ DISPLAY: "" }, "linux", false],
  [{ DISPLAY: ":0" }, "linux", true],
  [{ WAYLAND_DISPLAY: "wayland-0" }, "linux", true],
  [{}, "darwin", true],
  [{ SSH_CONNECTION: "10.0.0.1 1 10.0.0.2 22" }, "darwin", false],
])("with %o on %s a browser can be shown: %s", (env, platform, expected) => {
  expect(hasDisplay(env, platform)).toBe(expected);
});

it("explains how to reach the dashboard from another machine", () => {
  expect(tunnelHint("http://localhost:3001/?link=x")).toMatch(/ssh -L 3001:localhost:3001 \S+@\S+$/);
});
