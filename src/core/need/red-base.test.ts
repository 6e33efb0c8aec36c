import { expect, it } from "vitest";
import { aProject } from "../../testing/builders.ts";
import { aCheckRule, aCheckRun, aPolicy } from "../../testing/change-builders.ts";
import type { BrokenMain } from "../guard/state.ts";
import type { ProjectState } from "../project/state.ts";
import { needsOfProject } from "./project-needs.ts";

const BROKEN: BrokenMain = {
  ...{ check: "unit", commit: "c2", culprit: { key: "demo/7", commit: "c1" }, revert: null, failure: null },
  ...{ isReturned: false, at: 5 },
};

function broken(facts: Partial<BrokenMain>, mainGuard: "notify" | "auto" = "notify"): ProjectState {
  const main = { watched: "c2", green: null, broken: { ...BROKEN, ...facts } };
  return aProject({ main, policy: aPolicy({ mainGuard }) });
}

function textsOf(project: ProjectState, isAwaited = true): readonly string[] {
  const changes = { nameOf: (key: string) => `#${key.split("/")[1]}`, isAwaited: () => isAwaited };
  return needsOfProject(project, changes).map(({ id, text }) => `${id}: ${text}`);
}

it.each<readonly [string, ProjectState, readonly string[]]>([
  [
    "names the merge that broke it",
    broken({}),
    ["demo/main-broken-unit: Check `unit` has failed on main since #7 (c1)."],
  ],
  [
    "says that no merge is known",
    broken({ culprit: { key: null, commit: "c2" } }),
    ["demo/main-broken-unit: Check `unit` fails on main (c2); no merge by ao is known to have broken it."],
  ],
  [
    "says why it could not be reverted",
    broken({ failure: "it conflicts with #8." }, "auto"),
    [
      "demo/main-broken-unit: Check `unit` has failed on main since #7 (c1). ao could not revert it: it conflicts with #8.",
    ],
  ],
  ["needs nobody while the cause is looked for", broken({ culprit: null }), []],
  ["needs nobody while ao reverts it", broken({}, "auto"), []],
  ["needs nobody once it is reverted", broken({ revert: "c3" }, "auto"), []],
])("a red main %s", (_, project, texts) => expect(textsOf(project)).toEqual(texts));

it("is also one that a pull request waits for, if its newest commit fails and the main guard does not check it", () => {
  const run = aCheckRun({ name: "unit", head: "c2", state: "failed", attempt: 2 });
  const facts = { baseHead: "c2", commitChecks: { c1: { unit: run }, c2: { unit: run } } };
  const policy = aPolicy({ mainGuard: "notify" });
  const text =
    "demo/main-broken-unit: Check `unit` fails on main (c2): pull requests that fail it in the same way wait for a fix.";
  expect(textsOf(aProject({ ...facts, policy }))).toEqual([text]);
  expect(textsOf(aProject({ ...facts, policy }), false)).toEqual([]);
  expect(textsOf(aProject({ ...facts, baseHead: "c3", policy }))).toEqual([]);
  const once = { ...facts, commitChecks: { c2: { unit: { ...run, attempt: 1 } } } };
  expect(textsOf(aProject({ ...once, policy }))).toEqual([]);
  const guarded = aPolicy({ mainGuard: "notify", checks: { unit: aCheckRule({ on: ["pr", "main"] }) } });
  expect(textsOf(aProject({ ...facts, policy: guarded }))).toEqual([]);
});
