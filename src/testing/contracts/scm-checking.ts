import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { CheckRequest } from "../../ports/scm.ts";
import { tempDir } from "../temp.ts";
import type { Facts, ScmScene } from "./scm-scene.ts";

function aCheck(
  { project }: ScmScene,
  { commit, run, ...changes }: Pick<CheckRequest, "commit" | "run"> & Partial<CheckRequest>,
): CheckRequest {
  const folder = tempDir("ao-check-");
  return {
    project,
    commit,
    check: "test",
    run,
    setup: null,
    timeoutMs: 30_000,
    folder,
    intentId: `contract/${folder}`,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    ...changes,
  };
}

const always = (): boolean => true;

/** How checks run on this machine. */
export const CHECKING: Facts = {
  "passes a check that exits with 0, and returns its log": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "content\n" });
    const answer = await scene.scm.runCheck(aCheck(scene, { commit, run: "cat a.txt; echo to stderr >&2" }), always);
    expect(answer).toMatchObject({ kind: "passed", log: "content\nto stderr" });
  },
  "fails a check with its exit code and log": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "content\n" });
    const answer = await scene.scm.runCheck(aCheck(scene, { commit, run: "echo 'expected 1, got 2'; exit 3" }), always);
    expect(answer).toMatchObject({ kind: "failed", code: 3, log: "expected 1, got 2" });
  },
  "checks exactly the requested commit, in a clean checkout": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "old\n" });
    await scene.commit("agent/a", { "a.txt": "new\n" });
    const run = 'cat a.txt && git rev-parse HEAD && test -z "$(git status --porcelain --ignored)"';
    const answer = await scene.scm.runCheck(aCheck(scene, { commit, run }), always);
    expect(answer).toMatchObject({ kind: "passed", log: `old\n${commit}` });
  },
  "leaves no checkout behind": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, { commit, run: "pwd >$HOME/where; mkdir made; touch made/file; chmod 500 made" });
    expect((await scene.scm.runCheck(request, always)).kind).toBe("passed");
    const where = (await scene.fs.readText(join(request.folder, "where"))) ?? "";
    expect(await scene.fs.stat(where.trim())).toBeNull();
  },
  "reports after a failed set-up that the check was not run": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, { commit, run: "touch $HOME/tried", setup: "echo no such package; exit 4" });
    const answer = await scene.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "setup-failed", log: "no such package" });
    expect(await scene.fs.stat(join(request.folder, "tried"))).toBeNull();
  },
  "ends a check at its time limit": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const answer = await scene.scm.runCheck(
      aCheck(scene, { commit, run: "echo begun; sleep 1000", timeoutMs: 500 }),
      always,
    );
    expect(answer.kind).toBe("timed-out");
    expect("log" in answer ? answer.log : "").toContain("begun");
  },
  "ends a check that is no longer wanted": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, { commit, run: "touch $HOME/begun; sleep 1000" });
    const answer = await scene.scm.runCheck(request, () => !existsSync(join(request.folder, "begun")));
    expect(answer.kind).toBe("cancelled");
  },
  "runs an attempt once, however often it is requested": async (scene) => {
    const commit = await scene.commit("agent/a", { "a.txt": "a\n" });
    const request = aCheck(scene, { commit, run: "echo run >>$HOME/count; exit 1" });
    const [first, second] = await Promise.all([
      scene.scm.runCheck(request, always),
      scene.scm.runCheck(request, always),
    ]);
    expect(second).toEqual(first);
    expect(await scene.scm.runCheck(request, always)).toEqual(first);
    expect(await scene.fs.readText(join(request.folder, "count"))).toBe("run\n");
  },
};
