import { expect, it } from "vitest";
import type { IntentOutcome } from "../core/intent.ts";
import { aCreate } from "../testing/builders.ts";
import { aCheckRule, aPolicy } from "../testing/change-builders.ts";
import { openEngineBed } from "../testing/engine-bed/engine-bed.ts";
import { createPerson, registerProject } from "../testing/engine-bed/story.ts";
import { nextTurn } from "../testing/gate.ts";
import { executors } from "./executors/all.ts";

const PASSED: IntentOutcome = {
  kind: "check-ended",
  state: "passed",
  code: 0,
  log: null,
  fingerprint: "",
  tookMs: 1,
};

/** How many of the five checks of a pull request run at the same time. */
async function countTogether(ciRuns: number | null): Promise<number> {
  let running = 0;
  let most = 0;
  const execute = async (): Promise<IntentOutcome> => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    running -= 1;
    return PASSED;
  };
  const bed = await openEngineBed({ executors: { ...executors, "run-check": { ...executors["run-check"], execute } } });
  const person = createPerson(bed);
  await registerProject(person);
  const checks = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, aCheckRule()]));
  await person.command({ type: "project.policy", id: "demo", policy: aPolicy({ checks }) }, "policy with checks");
  await person.command({ type: "fleet.limit", limit: 5, ciRuns }, "limit");
  const prompt = { inline: "!commit made.txt" };
  await person.command(aCreate({ prompt, messageId: "m-task" }), "create");
  const isOver = (): boolean => {
    const runs = Object.values(bed.engine.loop.world.view.change("demo/1")?.checks ?? {});
    return runs.length === 5 && runs.every(({ state }) => state === "passed");
  };
  await person.until("the checks", isOver);
  return most;
}

it.each([
  [1, 1],
  [4, 4],
  [null, 2],
])("with limits.ciRuns %s, %i checks run at the same time", async (ciRuns, expected) => {
  expect(await countTogether(ciRuns)).toBe(expected);
});
