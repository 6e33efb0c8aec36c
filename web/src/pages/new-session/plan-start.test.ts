import { describe, expect, it } from "vitest";
import { describeStart, draftFor, EMPTY_DRAFT, keepRefused, planStart } from "./plan-start.ts";

describe("a new session", () => {
  it("is one per issue and as many as wanted for the text", () => {
    const draft = { ...EMPTY_DRAFT, text: " Fix the login\nAn empty password. ", count: 2, issues: ["12", "14"] };
    const planned = planStart(draft, "tern", false);
    expect(planned.map(({ name }) => name)).toEqual(["Fix the login", "Fix the login", "issue 12", "issue 14"]);
    expect(planned[0]?.body).toEqual({ projectId: "tern", prompt: "Fix the login\nAn empty password." });
    expect(planned[2]?.body).toEqual({ projectId: "tern", issue: "12" });
  });

  it("contains only what differs from the project", () => {
    const draft = { ...EMPTY_DRAFT, text: "x", agent: "codex", model: " gpt-5 ", permissions: "edits" } as const;
    const [planned] = planStart(draft, "tern", true);
    expect(planned?.body).toEqual({
      projectId: "tern",
      prompt: "x",
      agent: "codex",
      model: "gpt-5",
      permissions: "edits",
      now: true,
    });
    expect(planStart(EMPTY_DRAFT, "tern", false)).toEqual([]);
  });

  it.each([
    [1, { used: 2, limit: 5, queued: 0 }, "starts at once, 2 of 5 agents busy", false],
    [3, { used: 2, limit: 5, queued: 0 }, "all 3 start at once, 2 of 5 agents busy", false],
    [1, { used: 5, limit: 5, queued: 0 }, "queued: 5 of 5 agents busy", true],
    [1, { used: 5, limit: 5, queued: 2 }, "queued: 5 of 5 agents busy, 2 ahead in the queue", true],
    [3, { used: 4, limit: 5, queued: 0 }, "1 of 3 start now, the others queue: limit of 5 agents", true],
    [1, { used: 1, limit: null, queued: 0 }, "1 agent busy", false],
    [1, { used: 4, limit: null, queued: 2 }, "4 agents busy, 2 queued", true],
  ] as const)("%d with %o: %s", (count, load, text, isQueued) => {
    expect(describeStart(count, load)).toEqual({ text, isQueued });
  });
});

describe("the draft of a new session", () => {
  const draft = {
    ...EMPTY_DRAFT,
    text: "Fix the login",
    count: 3,
    issues: ["12", "14"],
    agent: "codex",
    model: "gpt-5",
  };

  it("stays over a change of project, without the issues of the other one", () => {
    const kept = { project: "tern", draft };
    expect(draftFor(kept, "tern")).toBe(kept);
    expect(draftFor(kept, "finch")).toEqual({ project: "finch", draft: { ...draft, issues: [] } });
  });

  it.each([
    ["the text", [0, 1, 2], { text: "Fix the login", count: 3, issues: [] }],
    ["one copy of the text", [1], { text: "Fix the login", count: 1, issues: [] }],
    ["an issue", [4], { text: "", count: 1, issues: ["14"] }],
    ["a copy and an issue", [2, 3], { text: "Fix the login", count: 1, issues: ["12"] }],
    ["everything", [0, 1, 2, 3, 4], { text: "Fix the login", count: 3, issues: ["12", "14"] }],
  ])("keeps exactly what was refused: %s", (_, refused, rest) => {
    const planned = planStart(draft, "tern", false).filter((__, index) => refused.includes(index));
    expect(keepRefused(draft, planned)).toEqual({ ...draft, ...rest });
  });
});
