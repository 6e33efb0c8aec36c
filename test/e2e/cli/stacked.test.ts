import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { untilSeen } from "../../support/until.ts";
import { expectRefusal } from "./picture.ts";
import { makeTeam, subjects, type Team } from "./team.ts";

/** Obeys the message about a conflict: runs exactly the command in it, and resolves the conflict. */
const REBASE = [
  'command=$(sed -n "s/.*(\\(git rebase --onto [^)]*\\)).*/\\1/p" told.txt); rm told.txt',
  "$command || { echo 'z = a + b + c' > sum.txt; git add sum.txt; GIT_EDITOR=true git rebase --continue; }",
].join("\n");

const SCENES = [
  {
    when: { kind: "task", matches: "lower" },
    do: [{ write: { path: "sum.txt", text: "a + b\n" } }, { commit: "Add the sum" }, { done: "Added." }],
  },
  {
    when: { kind: "task", matches: "upper" },
    do: [
      { replace: { path: "sum.txt", find: "a + b", with: "a + b + c" } },
      { commit: "Extend the sum" },
      { done: "Extended." },
    ],
  },
  {
    when: { kind: "message", matches: "git rebase --onto" },
    do: [{ write: { path: "told.txt", text: "{{text}}" } }, { run: ["sh", "-c", REBASE] }, { done: "Rebased." }],
  },
];

/** #2 changes the line that #1, which it is stacked on, wrote. */
async function openStack(): Promise<Team> {
  const team = await makeTeam({ scenes: SCENES });
  await team.shell.ok("new", "lower");
  await team.untilStatus("web-lower", "review-pending");
  expect(await team.shell.ok("new", "upper", "--on", "#1")).toMatch(/branch +agent\/upper \(on web-lower\)/);
  await team.untilStatus("web-upper", "review-pending");
  return team;
}

function contents(repo: string): readonly string[] {
  const commits = git(repo, "rev-list", "--first-parent", "--reverse", "main").trim().split("\n");
  return commits.map((commit) => git(repo, "show", `${commit}:sum.txt`).trim());
}

it("stacked pull requests are merged in order, each as one commit, and main is green at each", async () => {
  const { repo, shell, pull, untilStatus } = await openStack();
  const base = git(repo, "rev-parse", "agent/lower").trim();
  expect(git(repo, "rev-parse", "agent/upper^").trim()).toBe(base);
  expect(await pull("2")).toMatchObject({ base: "agent/lower", on: "#1", lines: { added: 1, removed: 1, files: 1 } });
  expect(await shell.ok("pr", "show", "2")).toMatch(/agent\/upper into agent\/lower[\s\S]*stacked +on #1/);
  expect(await shell.ok("pr", "list")).toMatch(/web\/2 on #1 +review-pending/);
  expect(await shell.ok("list")).toMatch(/web-upper .*#2 1\/1 on #1/);
  expect(await shell.ok("status", "web-upper")).toMatch(/branch +agent\/upper \(on #1\)/);
  expect(await shell.ok("pr", "diff", "2")).toMatch(/-a \+ b\n\+a \+ b \+ c/);

  await shell.ok("approve", "2");
  await untilStatus("2", "merge-waits");
  expectRefusal("merge", await shell.ao("merge", "2"), /#2 is not merged: waits for #1[\s\S]*automatically/);
  expect((await shell.ao("merge", "2", "--explain")).out).toMatch(/stacked pull request +waits for #1/);
  await shell.ok("approve", "1");
  await untilStatus("1", "mergeable");
  expect(await shell.ok("merge", "1")).toMatch(/^merged #1/);
  await shell.ok("wait", "web-upper", "--for", "merged", "--timeout", "60s");

  expect(subjects(repo, "main").slice(0, 2)).toEqual(["upper (#2)", "lower (#1)"]);
  expect(contents(repo)).toEqual(["0", "a + b", "a + b + c"]);
  const timeline = await shell.ok("logs", "web-upper", "--timeline");
  expect(timeline).toMatch(/opened by ao on #1[\s\S]*#1 is merged: the base is main now[\s\S]*merged as/);
  expect(timeline).not.toContain("conflicts with");
  expect(await shell.ok("pr", "diff", "2")).toMatch(/-a \+ b\n\+a \+ b \+ c/);
});

it("an agent drops the commits of the merged pull request with the command it gets, if something else conflicts", async () => {
  const { repo, shell, pull, untilStatus } = await openStack();
  const merged = git(repo, "rev-parse", "agent/lower").trim();
  await shell.ok("approve", "1");
  await untilStatus("1", "mergeable");
  await shell.ok("merge", "1");
  writeFileSync(join(repo, "sum.txt"), "z = a + b\n");
  git(repo, "commit", "-qam", "Name the sum");
  // Reads main now, instead of with the next poll.
  await shell.ok("status", "web-upper");
  await untilSeen("the agent to rebase", async () => subjects(repo, "agent/upper")[1] === "Name the sum");

  expect(subjects(repo, "agent/upper").slice(0, 3)).toEqual(["Extend the sum", "Name the sum", "lower (#1)"]);
  expect(await shell.ok("logs", "web-upper")).toContain(`git rebase --onto main ${merged}`);
  await untilStatus("2", "review-pending");
  expect(await pull("2")).toMatchObject({ base: "main", lines: { added: 1, removed: 1, files: 1 } });
  await shell.ok("approve", "2");
  await untilStatus("2", "mergeable");
  await shell.ok("merge", "2");
  expect(contents(repo)).toEqual(["0", "a + b", "z = a + b", "z = a + b + c"]);
});

it("a person moves a stacked pull request to main if the other one is closed", async () => {
  const { repo, shell, untilStatus } = await openStack();
  await shell.ok("pr", "close", "1");
  await untilSeen("the inbox", async () => (await shell.ok("inbox")).includes('ao pr base "#2" main'));
  const refused = await shell.ao("pr", "base", "2", "release");
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("go into main, not into release") });
  expect(await shell.ok("pr", "base", "#2", "main")).toBe("#2 goes into main\n");
  await shell.ok("approve", "2");
  await untilStatus("2", "mergeable");
  await shell.ok("merge", "2");
  expect(contents(repo)).toEqual(["0", "a + b + c"]);
});
