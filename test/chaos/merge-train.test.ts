import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import { isFull } from "../../src/testing/full.ts";
import { git } from "../../src/testing/git-repo.ts";
import { tempDir } from "../../src/testing/temp.ts";
import { type LoopFleet, makeLoop, toldTo } from "../support/loop.ts";
import { until } from "../support/until.ts";

/** Branches that fit alone, branches that conflict with one of them, and pairs that are red only together. */
const [PLAIN, CONFLICTS, PAIRS, KILLS] = isFull ? [19, 5, 3, 20] : [5, 1, 1, 3];
const MERGED = PLAIN + CONFLICTS + PAIRS;
const LIMIT_MS = isFull ? 1_800_000 : 300_000;

const CHECK = `for left in left-*.txt; do
  right="right-\${left#left-}"
  [ -e "$left" ] && [ -e "$right" ] && { echo "$left does not go with $right"; exit 1; }
done
exit 0
`;

function script(path: string, text: string): unknown {
  const resolve = [
    { run: ["git", "merge", "--no-edit", "main"] },
    { write: { path, text: "both\n" } },
    { commit: `Resolve ${path}` },
    { done: "Resolved." },
  ];
  return {
    pace: 0,
    scenes: [
      {
        when: { kind: "task" },
        do: [{ write: { path, text } }, { commit: `Write ${path}` }, { done: "There it is." }],
      },
      { when: { kind: "message", matches: "conflicts with" }, do: resolve },
      { when: { kind: "message" }, do: [{ done: "I leave it as it is." }] },
    ],
  };
}

function scriptsOf(): Readonly<Record<string, unknown>> {
  const names = [
    ...Array.from({ length: PLAIN }, (_, index) => script(`plain-${index + 1}.txt`, "one\n")),
    ...Array.from({ length: CONFLICTS }, (_, index) => script(`plain-${index + 1}.txt`, "other\n")),
    ...Array.from({ length: PAIRS }, (_, index) => index + 1).flatMap((n) => [
      script(`left-${n}.txt`, "x\n"),
      script(`right-${n}.txt`, "x\n"),
    ]),
  ];
  return Object.fromEntries(names.map((one, index) => [String(index + 1), one]));
}

/** Commits of main along its first parents, oldest first, the one at the start included. */
function mainOf({ repo }: LoopFleet): readonly string[] {
  return git(repo, "rev-list", "--first-parent", "--reverse", "main").trim().split("\n");
}

/** Checks out every commit of main and runs the check there; returns the red ones. */
function redCommits(fleet: LoopFleet): readonly string[] {
  const tree = join(tempDir("ao-main-"), "tree");
  git(fleet.repo, "clone", "-q", "--shared", ".", tree);
  return mainOf(fleet).filter((commit) => {
    git(tree, "checkout", "-q", "--detach", commit);
    return spawnSync("sh", ["check.sh"], { cwd: tree }).status !== 0;
  });
}

function isSentBack({ status, evidence }: PullRequestView): boolean {
  return status === "ci-failed" && evidence.includes("passes alone");
}

describe("a merge train of agents under kills of the daemon", () => {
  it(`keeps every commit of main green: ${MERGED + PAIRS} branches, ${CONFLICTS} in conflict, ${PAIRS} red in pairs, ${KILLS} kills`, async () => {
    const scripts = scriptsOf();
    const count = Object.keys(scripts).length;
    const fleet = await makeLoop({
      scripts: { ...scripts, default: { scenes: [{ do: [{ done: "" }] }] } },
      files: { "check.sh": CHECK },
      project: { policies: { approvals: 0 } },
      machine: { limits: { parallelAgents: count } },
    });
    await fleet.open();
    // All branches leave the same commit of main.
    await fleet.write("POST", "/api/train/demo", { paused: true }, "pause");
    for (const issue of Object.keys(scripts)) await fleet.begin(issue, `Task ${issue}`);
    await until("all pull requests", async () => (await fleet.pullRequests()).length === count, LIMIT_MS);
    await fleet.write("POST", "/api/train/demo", { paused: false }, "resume");
    for (let kill = 0; kill < KILLS; kill += 1) {
      const merges = 1 + Math.floor((kill * (MERGED - 1)) / KILLS);
      await until(`merge ${merges}`, () => mainOf(fleet).length > merges, LIMIT_MS);
      await fleet.kill();
      await fleet.start();
    }
    const isOver = async (): Promise<readonly PullRequestView[] | false> => {
      const pulls = await fleet.pullRequests();
      return pulls.every((pull) => pull.phase === "merged" || isSentBack(pull)) && pulls;
    };
    const pulls = await until("all to be merged or sent back", isOver, LIMIT_MS);
    expect(redCommits(fleet)).toEqual([]);
    expect(mainOf(fleet)).toHaveLength(MERGED + 1);
    const back = pulls.filter(isSentBack);
    expect(back).toHaveLength(PAIRS);
    for (const { sessionId } of back) {
      const told = await until("its message", () => toldTo(fleet, sessionId ?? "").at(-1));
      expect(told.text).toContain("passed alone but failed with exit code 1 when merged into main together with");
      expect(told.text).toContain("does not go with");
    }
  });
});
