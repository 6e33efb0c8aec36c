import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Host } from "../../../../ports/host.ts";
import type { CheckRequest, Scm } from "../../../../ports/scm.ts";
import { git } from "../../../../testing/git-repo.ts";
import { openScmBench, type ScmBench } from "../../../../testing/scm-bench.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { localScm } from "../local.ts";

function make(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

const always = (): boolean => true;

function aCheck(bench: ScmBench, run: string, changes: Partial<CheckRequest> = {}): CheckRequest {
  const dir = tempDir("ao-check-");
  return {
    project: bench.project,
    commit: git(bench.repo, "rev-parse", "main").trim(),
    check: "test",
    run,
    setup: null,
    timeoutMs: 60_000,
    folder: join(dir, "attempt"),
    intentId: `check-test/${dir}`,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, OUT: dir },
    ...changes,
  };
}

function linesOf(request: CheckRequest, name: string): readonly string[] {
  const path = join(request.env["OUT"] ?? "", name);
  return existsSync(path) ? readFileSync(path, "utf8").trim().split("\n") : [];
}

async function expectNothingLeft(bench: ScmBench, request: CheckRequest): Promise<void> {
  expect(await bench.host.processes.findByIntent(request.intentId)).toEqual([]);
  expect(existsSync(join(request.folder, "tree"))).toBe(false);
}

describe("a check", () => {
  it("has its environment, and nothing of the daemon's", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, 'echo "$CI $AO_CHECK $AO_PROJECT $AO_COMMIT [$SHOULD_NOT]"');
    process.env["SHOULD_NOT"] = "leak";
    onTestFinished(() => void delete process.env["SHOULD_NOT"]);
    const answer = await bench.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "passed", log: `true test p ${request.commit} []` });
  });

  it("names files as the commit has them, wherever it was checked out", async () => {
    const bench = openScmBench(make);
    const answer = await bench.scm.runCheck(aCheck(bench, 'echo "at $PWD/src/a.ts:3 in $PWD"; exit 1'), always);
    expect(answer).toMatchObject({ kind: "failed", log: "at src/a.ts:3 in ." });
  });

  it("is known to be over at once", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, "date +%s%N >$OUT/end; true");
    await bench.scm.runCheck(request, always);
    const noticed = statSync(join(request.folder, "answer.json")).mtimeMs;
    // The target is 100 ms; a loaded machine is given more.
    expect(noticed - Number(linesOf(request, "end")[0]) / 1e6).toBeLessThan(1000);
  });

  it("that hangs is ended at its limit with all that it started, also in a session of its own", async () => {
    const bench = openScmBench(make);
    const run = "setsid sh -c 'trap \"\" TERM; echo $$ >$OUT/far; sleep 1000' & sleep 1000 & echo $! >$OUT/near; wait";
    const request = aCheck(bench, run, { timeoutMs: 1000 });
    const answer = await bench.scm.runCheck(request, always);
    expect(answer.kind).toBe("timed-out");
    await expectNothingLeft(bench, request);
    for (const name of ["far", "near"]) {
      expect(bench.host.processes.identify(Number(linesOf(request, name)[0]))).toBeNull();
    }
  });

  it("that leaves a program behind passes, and the program is ended", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, "setsid sleep 1000 & sleep 1000 & echo done");
    const answer = await bench.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "passed", log: "done" });
    expect("tookMs" in answer ? answer.tookMs : 99_999).toBeLessThan(30_000);
    await expectNothingLeft(bench, request);
  });

  it("that is not wanted any more is ended, and runs anew when it is wanted again", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, "echo run >>$OUT/runs; test -e $OUT/go || sleep 1000");
    const isWanted = (): boolean => !linesOf(request, "runs").includes("run");
    expect((await bench.scm.runCheck(request, isWanted)).kind).toBe("cancelled");
    await expectNothingLeft(bench, request);
    writeFileSync(join(request.env["OUT"] ?? "", "go"), "");
    expect((await bench.scm.runCheck(request, always)).kind).toBe("passed");
    expect(linesOf(request, "runs")).toHaveLength(2);
  });

  it("that prints without end is ended with the reason, and its log is cut", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, "yes 0123456789012345678901234567890123456789");
    const answer = await bench.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "failed", code: 153 });
    expect("log" in answer ? answer.log : "").toMatch(/ao: ended, since it printed more than 64 MiB$/);
    expect(statSync(join(request.folder, "log")).size).toBeLessThanOrEqual(1024 * 1024);
    await expectNothingLeft(bench, request);
  });

  it("whose processes are killed from outside is tried again a few times, then failed", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, "echo run >>$OUT/runs; until test -e ../run/pid; do :; done; kill -9 0");
    expect(await bench.scm.runCheck(request, always)).toMatchObject({ kind: "failed", code: 137 });
    expect(linesOf(request, "runs")).toHaveLength(3);
    await expectNothingLeft(bench, request);
  });

  it("of a commit that is not there says so, and was not tried", async () => {
    const bench = openScmBench(make);
    const request = aCheck(bench, "true", { commit: "1234567890123456789012345678901234567890" });
    expect((await bench.scm.runCheck(request, always)).kind).toBe("setup-failed");
  });

  it("may run for the same commit twice at once, and does not show in the project", async () => {
    const bench = openScmBench(make);
    const both = [aCheck(bench, "git worktree list; sleep 0.2"), aCheck(bench, "git status", { check: "lint" })];
    const answers = await Promise.all(both.map((request) => bench.scm.runCheck(request, always)));
    expect(answers.map(({ kind }) => kind)).toEqual(["passed", "passed"]);
    expect(git(bench.repo, "worktree", "list").trim().split("\n")).toHaveLength(2);
  });

  it("runs no hook of the user", async () => {
    const bench = openScmBench(make);
    const templates = join(tempDir(), "templates");
    mkdirSync(join(templates, "hooks"), { recursive: true });
    writeFileSync(join(templates, "hooks/post-checkout"), `#!/bin/sh\ntouch ${templates}/ran\n`, { mode: 0o755 });
    process.env["GIT_TEMPLATE_DIR"] = templates;
    onTestFinished(() => void delete process.env["GIT_TEMPLATE_DIR"]);
    expect((await bench.scm.runCheck(aCheck(bench, "true"), always)).kind).toBe("passed");
    expect(existsSync(join(templates, "ran"))).toBe(false);
  });
});
