import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git } from "../../../src/testing/git-repo.ts";
import { makeLoop, toldTo } from "../../support/loop.ts";
import { until } from "../../support/until.ts";
import { commit, on, scenes } from "./scenes.ts";

const ISSUES = ["1", "2", "3", "4", "5"];
const CULPRIT = "3";
const LIMIT_MS = 120_000;

/** Runs on main only, and waits until all merges have happened. */
const LATE = `while [ -e "$AO_DIARY/hold-late" ]; do sleep 0.05; done
[ ! -e file-${CULPRIT}.txt ] || { echo "file-${CULPRIT}.txt breaks the end-to-end test"; exit 1; }`;

const script = (issue: string): unknown =>
  scenes(
    on("task", "", commit(`file-${issue}.txt`, `by ${issue}\n`)),
    on("message", "broke main", [{ done: "I see." }]),
  );

it("finds the one of five merges that broke main, reverts it, reopens its issue and gives its agent the evidence", async () => {
  const fleet = await makeLoop({
    scripts: Object.fromEntries(ISSUES.map((issue) => [issue, script(issue)])),
    checks: { test: { run: "sh check.sh" }, late: { run: LATE, on: ["main"], required: false } },
    // The check names the culprit's file, so a person would have to approve it.
    project: { policies: { approvals: 0, paths: { [`file-${CULPRIT}.txt`]: "none" } }, mainGuard: "auto" },
  });
  const hold = join(fleet.dir, "diary", "hold-late");
  writeFileSync(hold, "");
  await fleet.open();
  const ids = new Map<string, string>();
  for (const issue of ISSUES) ids.set(issue, (await fleet.begin(issue, `Task ${issue}`)).id);
  const isMerged = async (): Promise<boolean> => {
    const pulls = await fleet.pullRequests();
    return pulls.length === ISSUES.length && pulls.every(({ phase }) => phase === "merged");
  };
  await until("all five merges", isMerged, LIMIT_MS);
  await until("all issues to be closed", () => ISSUES.every(fleet.isClosed), LIMIT_MS);
  rmSync(hold);

  const culprit = (await fleet.pullRequests()).find(({ sessionId }) => sessionId === ids.get(CULPRIT));
  const reverts = (): readonly string[] =>
    git(fleet.repo, "log", "--format=%s", "main")
      .split("\n")
      .filter((subject) => subject.startsWith("Revert"));
  await until("the revert", () => reverts().length > 0, LIMIT_MS);
  const told = await until("the evidence", () => toldTo(fleet, ids.get(CULPRIT) ?? "")[0], LIMIT_MS);
  expect(reverts()).toEqual([`Revert #${culprit?.number}`]);
  expect(told.text).toContain("late");
  expect(told.text).toContain(`file-${CULPRIT}.txt breaks the end-to-end test`);
  await until("the issue to be open again", () => !fleet.isClosed(CULPRIT), LIMIT_MS);
  const others = ISSUES.filter((issue) => issue !== CULPRIT);
  expect(others.every(fleet.isClosed)).toBe(true);
  expect(others.flatMap((issue) => toldTo(fleet, ids.get(issue) ?? ""))).toEqual([]);
  expect(ISSUES.filter((issue) => existsSync(join(fleet.repo, `file-${issue}.txt`)))).toEqual(others);
});
