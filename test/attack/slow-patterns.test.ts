import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { InboxView } from "../../src/protocol/views/inbox.ts";
import { makeTeam, type Team } from "../e2e/cli/team.ts";
import { call } from "../support/api.ts";
import { until } from "../support/until.ts";

/** Takes JavaScript's matcher minutes, and twice as long for each further letter. */
const TITLE = `${"a".repeat(30)}!`;
const SLOW = "pr.title.matches('^(\\\\w+\\\\s?)*$')";

async function expectAnswer({ aoHome }: Team): Promise<void> {
  const { status } = await call(join(aoHome, "ao.sock"), "GET", "/healthz");
  expect(status).toBe(200);
}

it("a title that an agent chose keeps no condition busy, also after a restart", async () => {
  const team = await makeTeam({
    project: {
      policies: { approvals: 0, rules: [{ unless: SLOW, say: "titles are words" }] },
      reactions: {
        "pr-opened": { condition: SLOW, action: "notify" },
        "approved-and-green": { auto: true, action: "merge", condition: SLOW },
      },
    },
    scenes: [
      {
        when: { kind: "task" },
        do: [{ write: { path: "sum.txt", text: "a + b\n" } }, { commit: "Add the sum" }, { done: "Added." }],
      },
    ],
  });
  const { shell, pull, untilStatus } = team;
  await shell.ok("new", TITLE);
  await shell.ok("wait", "web-a", "--for", "pr", "--timeout", "60s");
  const blocked = await untilStatus("1", "blocked");
  expect(blocked.title).toBe(TITLE);
  expect(blocked.rules).toContainEqual(
    expect.objectContaining({ kind: "condition", verdict: "blocking", text: "titles are words" }),
  );
  await expectAnswer(team);
  await shell.ok("stop");
  await shell.ok("start", "--no-open", "--detach");
  await expectAnswer(team);
  expect(await pull("1")).toMatchObject({ title: TITLE, status: "blocked" });
});

it("a rule that RE2 cannot express goes off alone, holds the merge, and is named with its line", async () => {
  const team = await makeTeam({ project: { policies: { approvals: 0 } } });
  const { shell, repo, pull } = team;
  const file = join(repo, "agent-orchestrator.yaml");
  const before = readFileSync(file, "utf8");
  const rules = `        - { unless: "pr.title.matches('^(?!wip)')", say: no drafts }\n`;
  writeFileSync(file, before.replace(/( +)policies:\n/, `$1policies:\n$1  rules:\n${rules}`));
  await shell.ok("new", "fine");
  await shell.ok("wait", "web-fine", "--for", "pr", "--timeout", "60s");
  const line =
    readFileSync(file, "utf8")
      .split("\n")
      .findIndex((text) => text.includes("(?!wip)")) + 1;
  const item = await until("the rule to be named", async () => {
    const { data } = await shell.json<{ data: readonly InboxView[] }>("inbox");
    return data.find(({ kind }) => kind === "config-rules");
  });
  expect(item.text).toContain(`agent-orchestrator.yaml:${line}:`);
  expect(item.text).toContain("projects.web.policies.rules[0].unless: regular expression `^(?!wip)`");
  const refused = await shell.ao("merge", "web-fine");
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("no drafts (`ao` cannot evaluate its condition");
  const validated = await shell.ao("config", "validate");
  expect(validated).toMatchObject({ code: 0, err: expect.stringContaining(`agent-orchestrator.yaml:${line}:`) });
  expect(await pull("web-fine")).toMatchObject({ status: "blocked" });
});
