import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Clock, Host } from "../../../../ports/host.ts";
import type { Scm } from "../../../../ports/scm.ts";
import { aCheck, expectNothingLeft, linesOf } from "../../../../testing/check-fixture.ts";
import { git } from "../../../../testing/git-repo.ts";
import { openScmFixture } from "../../../../testing/scm-fixture.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { localScm } from "../local.ts";
import { TICK_MS } from "./held-command.ts";

function makeLocalScm(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

const always = (): boolean => true;

/** A clock whose long timers never fire, so that only an event can end the wait for a check. */
function withoutTicks(clock: Clock): Clock {
  return { ...clock, after: (ms, callback) => (ms < TICK_MS ? clock.after(ms, callback) : () => undefined) };
}

describe("a check", () => {
  it("has its own environment, and nothing of the daemon's", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, 'echo "$CI $AO_CHECK $AO_PROJECT $AO_COMMIT [$SHOULD_NOT]"');
    process.env["SHOULD_NOT"] = "leak";
    onTestFinished(() => void delete process.env["SHOULD_NOT"]);
    const answer = await fixture.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "passed", log: `true test p ${request.commit} []` });
  });

  it("names files as in the commit, wherever it was checked out", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const answer = await fixture.scm.runCheck(aCheck(fixture, 'echo "at $PWD/src/a.ts:3 in $PWD"; exit 1'), always);
    expect(answer).toMatchObject({ kind: "failed", log: "at src/a.ts:3 in ." });
  });

  it("is known to be over without waiting for the next tick", async () => {
    const fixture = openScmFixture((host, home) => makeLocalScm({ ...host, clock: withoutTicks(host.clock) }, home));
    expect((await fixture.scm.runCheck(aCheck(fixture, "true"), always)).kind).toBe("passed");
  });

  it("leaves neither a checkout nor a process if the disk has no space for its result", async () => {
    const full = Object.assign(new Error("no space left"), { code: "ENOSPC" });
    const fixture = openScmFixture((host, home) => {
      const writeText: Host["fs"]["writeText"] = (path, ...more) =>
        path.endsWith("/answer.json") ? Promise.reject(full) : host.fs.writeText(path, ...more);
      return makeLocalScm({ ...host, fs: { ...host.fs, writeText } }, home);
    });
    const request = aCheck(fixture, "true");
    await expect(fixture.scm.runCheck(request, always)).rejects.toThrow("no space left");
    await expectNothingLeft(fixture, request);
  });

  it("that hangs is ended at its limit with its children, even in their own session", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const run = "setsid sh -c 'trap \"\" TERM; echo $$ >$OUT/far; sleep 1000' & sleep 1000 & echo $! >$OUT/near; wait";
    const request = aCheck(fixture, run, { timeoutMs: 1000 });
    const answer = await fixture.scm.runCheck(request, always);
    expect(answer.kind).toBe("timed-out");
    await expectNothingLeft(fixture, request);
    for (const name of ["far", "near"]) {
      expect(fixture.host.processes.identify(Number(linesOf(request, name)[0]))).toBeNull();
    }
  });

  it("does not time out because the machine slept meanwhile, nor in a later daemon", async () => {
    let sleptMs = 0;
    const fixture = openScmFixture((host, home) => {
      const clock: Clock = { ...host.clock, now: () => host.clock.now() + sleptMs };
      return makeLocalScm({ ...host, clock }, home);
    });
    const run = "echo run >>$OUT/runs; until test -e $OUT/go; do sleep 0.02; done";
    const request = aCheck(fixture, run, { timeoutMs: 600_000 });
    // Asked after every probe: the clock jumps between two of them, and the check ends after a few more.
    let probes = 0;
    const isWanted = (): boolean => {
      if (linesOf(request, "runs").length > 0) probes += 1;
      if (probes === 2) sleptMs = 3_600_000;
      if (probes === 5) writeFileSync(join(request.env["OUT"] ?? "", "go"), "");
      return true;
    };
    const startedAt = Date.now();
    expect((await fixture.scm.runCheck(request, isWanted)).kind).toBe("passed");
    const recorded = Number(readFileSync(join(request.folder, "run/started"), "utf8"));
    expect(recorded - startedAt).toBeGreaterThan(3_500_000);
  });

  it("that leaves a program behind passes, and the program is ended", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "setsid sleep 1000 & sleep 1000 & echo done");
    const answer = await fixture.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "passed", log: "done" });
    expect("tookMs" in answer ? answer.tookMs : 99_999).toBeLessThan(30_000);
    await expectNothingLeft(fixture, request);
  });

  it("that is no longer wanted is ended, and runs again when it is wanted again", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "echo run >>$OUT/runs; test -e $OUT/go || sleep 1000");
    const isWanted = (): boolean => !linesOf(request, "runs").includes("run");
    expect((await fixture.scm.runCheck(request, isWanted)).kind).toBe("cancelled");
    await expectNothingLeft(fixture, request);
    writeFileSync(join(request.env["OUT"] ?? "", "go"), "");
    expect((await fixture.scm.runCheck(request, always)).kind).toBe("passed");
    expect(linesOf(request, "runs")).toHaveLength(2);
  });

  it("that is no longer wanted leaves at most 1 MiB of its logs", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const print = "head -c 3000000 /dev/zero; echo run >>$OUT/runs";
    const request = aCheck(fixture, `${print}; sleep 1000`, { setup: print });
    const isWanted = (): boolean => linesOf(request, "runs").length < 2;
    expect((await fixture.scm.runCheck(request, isWanted)).kind).toBe("cancelled");
    for (const name of ["log", "setup.log"]) {
      expect(statSync(join(request.folder, name)).size).toBe(1024 * 1024);
    }
    await expectNothingLeft(fixture, request);
  });

  it("that prints endlessly is ended with the reason, and its log is cut", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "yes 0123456789012345678901234567890123456789");
    const answer = await fixture.scm.runCheck(request, always);
    expect(answer).toMatchObject({ kind: "failed", code: 153 });
    expect("log" in answer ? answer.log : "").toMatch(/ao: stopped because it printed more than 64 MiB$/);
    expect(statSync(join(request.folder, "log")).size).toBeLessThanOrEqual(1024 * 1024);
    await expectNothingLeft(fixture, request);
  });

  it("whose processes are killed from outside is retried a few times, then failed", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "echo run >>$OUT/runs; until test -e ../run/pid; do :; done; kill -9 0");
    expect(await fixture.scm.runCheck(request, always)).toMatchObject({ kind: "failed", code: 137 });
    expect(linesOf(request, "runs")).toHaveLength(3);
    await expectNothingLeft(fixture, request);
  });

  it("of a missing commit reports that, and was not run", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "true", { commit: "1234567890123456789012345678901234567890" });
    expect((await fixture.scm.runCheck(request, always)).kind).toBe("setup-failed");
  });

  it("may run twice at once for the same commit, and leaves no trace in the project", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const both = [aCheck(fixture, "git worktree list; sleep 0.2"), aCheck(fixture, "git status", { check: "lint" })];
    const answers = await Promise.all(both.map((request) => fixture.scm.runCheck(request, always)));
    expect(answers.map(({ kind }) => kind)).toEqual(["passed", "passed"]);
    expect(git(fixture.repo, "worktree", "list").trim().split("\n")).toHaveLength(2);
  });

  it("runs none of the user's hooks", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const templates = join(tempDir(), "templates");
    mkdirSync(join(templates, "hooks"), { recursive: true });
    writeFileSync(join(templates, "hooks/post-checkout"), `#!/bin/sh\ntouch ${templates}/ran\n`, { mode: 0o755 });
    process.env["GIT_TEMPLATE_DIR"] = templates;
    onTestFinished(() => void delete process.env["GIT_TEMPLATE_DIR"]);
    expect((await fixture.scm.runCheck(aCheck(fixture, "true"), always)).kind).toBe("passed");
    expect(existsSync(join(templates, "ran"))).toBe(false);
  });
});
