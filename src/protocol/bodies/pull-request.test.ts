import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { CreateIssueBody } from "./project.ts";
import { AgentReplyBody, LabelsBody, MergeBody, OpenPullRequestBody, ReviewBody } from "./pull-request.ts";
import { CreateSessionBody } from "./session.ts";

const KIB = 1024;

function verdict(schema: z.ZodType, value: unknown): string {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") || "fine";
}

const comment = { path: "src/a.ts", line: 3, text: "why?" };

describe("a review", () => {
  it.each<[string, unknown, string | RegExp]>([
    ["approves without text", { verdict: "approve" }, "fine"],
    [
      "has comments with and without a line",
      { verdict: "comment", comments: [comment, { path: "b", text: "x" }] },
      "fine",
    ],
    ["has a body of 64 KiB", { verdict: "comment", body: "x".repeat(64 * KIB) }, "fine"],
    ["rejects a larger body", { verdict: "comment", body: "x".repeat(64 * KIB + 1) }, /larger than 64 KiB/],
    ["counts bytes, not characters", { verdict: "comment", body: "ü".repeat(33 * KIB) }, /larger than 64 KiB/],
    [
      "rejects a larger comment",
      { verdict: "comment", comments: [{ ...comment, text: "x".repeat(65 * KIB) }] },
      /64 KiB/,
    ],
    [
      "rejects an empty comment",
      { verdict: "comment", comments: [{ ...comment, text: " " }] },
      /comments.0.text: empty/,
    ],
    ["has 100 comments", { verdict: "comment", comments: Array(100).fill(comment) }, "fine"],
    ["rejects 101 comments", { verdict: "comment", comments: Array(101).fill(comment) }, /comments/],
    ["rejects line 0", { verdict: "comment", comments: [{ ...comment, line: 0 }] }, /line/],
    ["has a one-line author", { verdict: "approve", author: "Ada Lovelace" }, "fine"],
    ["rejects a two-line author", { verdict: "approve", author: "ao\nmerged it" }, /author: not one line/],
    ["rejects an author with terminal escapes", { verdict: "approve", author: "\u001b[31mred" }, /author/],
    ["rejects an author of 101 characters", { verdict: "approve", author: "x".repeat(101) }, /author/],
    ["rejects a blank author", { verdict: "approve", author: "  " }, /author/],
    ["names a commit by its prefix", { verdict: "approve", head: "1a2b3c4" }, "fine"],
    ["does not name a commit by a word", { verdict: "approve", head: "main" }, /head: not a commit/],
    ["has a known verdict", { verdict: "lgtm" }, /verdict/],
    ["rejects an unknown field", { verdict: "approve", force: true }, /force/],
  ])("%s", (_name, body, expected) => {
    expect(verdict(ReviewBody, body)).toMatch(expected);
  });
});

it.each<[string, z.ZodType, unknown, string | RegExp]>([
  ["a merge has a known strategy", MergeBody, { strategy: "octopus" }, /strategy/],
  ["a merge may wait", MergeBody, { strategy: "rebase", wait: true }, "fine"],
  ["a title has one line", OpenPullRequestBody, { title: "a\nb" }, /title/],
  ["a session's title has one line", CreateSessionBody, { title: "a\nb" }, /title: not one line/],
  ["a session's title contains no terminal escapes", CreateSessionBody, { title: "a\u009b2J" }, /title: not one line/],
  [
    "an issue's title contains no bidirectional overrides",
    CreateIssueBody,
    { title: "a\u202eb" },
    /title: not one line/,
  ],
  ["labels are bounded", LabelsBody, { add: Array(51).fill("x") }, /add/],
  ["a label has one line", LabelsBody, { remove: ["a\tb"] }, /remove/],
  ["an agent's reply names its thread", AgentReplyBody, { text: "done" }, /thread/],
  ["an agent does not choose its name", AgentReplyBody, { thread: "t", text: "done", author: "boss" }, /author/],
])("%s", (_name, schema, body, expected) => {
  expect(verdict(schema, body)).toMatch(expected);
});
