import { describe, expect, it } from "vitest";
import { renderRehearsals } from "../src/cli/views/rehearsal-view.ts";
import { DEFAULT_REACTIONS } from "../src/config/default-reactions.ts";
import type { ProjectPolicy } from "../src/core/policy.ts";
import { REACTION_KEYS } from "../src/core/reaction/reaction-keys.ts";
import type { ReactionsTestBody } from "../src/protocol/bodies/rules.ts";
import type { RehearsalView } from "../src/protocol/views/rehearsal.ts";
import { testReactions } from "../src/server/test-reactions.ts";
import { aProject, aSession, aWorld } from "../src/testing/builders.ts";
import { aChange, aCheckRule, aCheckRun, aPolicy, aProblem, aRule } from "../src/testing/change-builders.ts";
import { readOutput, withoutChance } from "./support/docs-output.ts";

const policy: ProjectPolicy = {
  ...aPolicy({ checks: { unit: aCheckRule({ on: ["pr", "main"] }) }, mainGuard: "notify" }),
  reactions: DEFAULT_REACTIONS,
  budget: { perSession: 5, perTask: null, perDay: null, perDayInAll: null },
};

const WITHOUT_DEFAULT = [
  ...["label-added", "label-removed", "pr-opened", "pr-closed", "pr-merged"],
  ...["collision", "main-moved"],
];

async function test(body: ReactionsTestBody, rules = policy): Promise<readonly RehearsalView[]> {
  const session = aSession({
    turns: 1,
    activity: { state: "idle", note: null, evidence: "", at: 3000 },
    branchSeen: { turn: 1, head: "head1", ahead: 1, at: 3000 },
  });
  const last = { occurrence: "head1.f1", messageId: "r-1", head: "head1", turns: 0, at: 2000 };
  const problem = aProblem({ sent: 1, last });
  const change = aChange({
    checks: { unit: aCheckRun({ state: "failed", code: 1, fingerprint: "f1" }) },
    problems: { [problem.id]: problem },
  });
  const world = aWorld({
    projects: [aProject({ policy: rules, baseHead: "base1" })],
    sessions: [session],
    changes: [change],
  });
  const { data } = await testReactions({ engine: { world }, rulesOfText: async () => new Map() }, body, 1_000_000);
  return data;
}

const steps = async (body: ReactionsTestBody, rules?: ProjectPolicy): Promise<readonly string[]> =>
  (await test(body, rules)).flatMap((one) => one.steps.map(({ turns, text }) => `${turns}: ${text}`));

describe("a test of the rules", () => {
  it("covers every key of the configuration", async () => {
    const tested = (await test({ project: "demo" })).map(({ key }) => key);
    expect(REACTION_KEYS.filter((key) => !tested.includes(key))).toEqual([]);
  });

  it("makes every rule act, or says why nothing can", async () => {
    const data = await test({ project: "demo" });
    expect(data.filter(({ obstacle, steps: made }) => obstacle === null && made.length === 0)).toEqual([]);
    expect(data.filter(({ obstacle }) => obstacle !== null).map(({ key, obstacle }) => `${key}: ${obstacle}`)).toEqual(
      WITHOUT_DEFAULT.map((key) => `${key}: no rule`),
    );
  });

  it("shows the steps and the messages about one event, as the docs show them", async () => {
    const shown = renderRehearsals(await test({ project: "demo", event: "ci-failed" }), true);
    expect(shown.map(withoutChance)).toEqual(readOutput("docs/user/replay.md", "ao reactions test --event ci-failed"));
  });

  it.each(WITHOUT_DEFAULT)("makes a rule for %s act", async (event) => {
    const rules = { ...policy, reactions: { [event]: aRule({ action: "run", run: "true", retries: 1 }) } };
    expect(await steps({ project: "demo", event }, rules)).toEqual([
      `0: running a command (rule for ${event.replaceAll("-", " ")})`,
    ]);
  });

  it("asks the condition of a rule with the facts that are given", async () => {
    const rule = aRule({ action: "label", label: "later", condition: "label == 'needs-tests'", retries: 1 });
    const rules = { ...policy, reactions: { "label-added": rule } };
    expect(await steps({ project: "demo", event: "label-added", facts: { label: "other" } }, rules)).not.toContain(
      "0: added label `later` (rule for label added)",
    );
    expect(await steps({ project: "demo", event: "label-added", facts: { label: "needs-tests" } }, rules)).toContain(
      "0: added label `later` (rule for label added)",
    );
  });

  it("takes an event by its name", async () => {
    const rules = { ...policy, reactions: { "check.started": aRule({ action: "run", run: "true", retries: 1 }) } };
    expect(await steps({ project: "demo", event: "check.started" }, rules)).toEqual([
      "0: running a command (rule for check.started)",
    ]);
  });

  it("counts the attempts that a real session has used up", async () => {
    const [first] = await steps({ session: "demo-fix-it", event: "ci-failed" });
    expect(first).toBe("0: sent failing check `unit` to the agent (attempt 2)");
  });

  it.each([
    [{ event: "ci-faild" }, 'unknown event "ci-faild"'],
    [{ event: "ci-failed", facts: { label: "x" } }, 'unknown fact "label"'],
  ])("refuses %j", async (body, message) => {
    await expect(test({ project: "demo", ...body })).rejects.toMatchObject({ code: "usage", message });
  });
});
