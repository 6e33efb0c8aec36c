import { expect, it } from "vitest";
import type { IssueView } from "../../../src/protocol/views/project.ts";
import { describeIssue, listIssues } from "./issues.ts";

function issue(id: string, changes: Partial<IssueView> = {}): IssueView {
  const rest = {
    body: "",
    state: "open",
    labels: [],
    priority: null,
    dependsOn: [],
    assignee: null,
    url: null,
  } as const;
  return { id, title: `Issue ${id}`, ...rest, ...changes };
}

it("issues that can be started come before blocked and taken ones", () => {
  const issues = [
    issue("1"),
    issue("2", { dependsOn: ["4", "9"] }),
    issue("3", { state: "closed" }),
    issue("4", { labels: ["bug"], priority: "high" }),
    issue("5", { assignee: "mara" }),
  ];
  const sessions = [{ id: "tern-1", issue: "1", projectId: "tern" }];
  expect(listIssues(issues, sessions).map((one) => [one.issue.id, describeIssue(one)])).toEqual([
    ["4", "bug, high"],
    ["2", "blocked by 4"],
    ["1", "assigned to tern-1"],
    ["5", "assigned to mara"],
  ]);
});

it("a search matches every word in number, title and labels", () => {
  const issues = [issue("12", { title: "Cart total", labels: ["bug"] }), issue("13", { title: "Cart icon" })];
  expect(listIssues(issues, [], "cart BUG").map((one) => one.issue.id)).toEqual(["12"]);
  expect(listIssues(issues, [], "13").map((one) => one.issue.id)).toEqual(["13"]);
});
