import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Host } from "../../../../ports/host.ts";
import type { CheckRequest, Scm } from "../../../../ports/scm.ts";
import { aCheck, expectNothingLeft, linesOf } from "../../../../testing/check-fixture.ts";
import { eventually } from "../../../../testing/eventually.ts";
import { openScmFixture, type ScmFixture } from "../../../../testing/scm-fixture.ts";
import { tempDir } from "../../../../testing/temp.ts";
import { localScm } from "../local.ts";

function makeLocalScm(host: Host, home: string): Scm {
  return localScm.create({}, host, { home, projectPath: "" });
}

const always = (): boolean => true;

describe("a check that a former daemon started", () => {
  /** A separate daemon that runs a check and can be killed. */
  function startDaemon(fixture: ScmFixture, request: CheckRequest): { kill(): Promise<void> } {
    const script = `
      import { createNodeHost } from ${JSON.stringify(join(process.cwd(), "src/platform/host.ts"))};
      import { createSilentLog } from ${JSON.stringify(join(process.cwd(), "src/platform/log.ts"))};
      import { localScm } from ${JSON.stringify(join(process.cwd(), "src/plugins/scm/local/local.ts"))};
      const scm = localScm.create({}, createNodeHost({ log: createSilentLog() }), ${JSON.stringify({ home: fixture.home, projectPath: "" })});
      await scm.runCheck(${JSON.stringify(request)}, () => true);
    `;
    const dir = tempDir("ao-daemon-");
    writeFileSync(join(dir, "in.ts"), script);
    const built = join(dir, "app/daemon.mjs");
    const esbuild = join(process.cwd(), "node_modules/.bin/esbuild");
    execFileSync(esbuild, [
      join(dir, "in.ts"),
      "--bundle",
      "--platform=node",
      "--format=esm",
      `--outfile=${built}`,
      "--log-level=error",
    ]);
    // The code looks for the holder where a build puts it, in a sibling folder.
    mkdirSync(join(dir, "platform"));
    writeFileSync(join(dir, "platform/holder.sh"), readFileSync(join(process.cwd(), "src/platform/holder.sh")));
    const child = spawn(process.execPath, [built], { stdio: "inherit" });
    const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    onTestFinished(() => void child.kill("SIGKILL"));
    return {
      kill: () => {
        child.kill("SIGKILL");
        return gone;
      },
    };
  }

  it("is taken over while it runs, and runs once", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "echo run >>$OUT/runs; until test -e $OUT/go; do sleep 0.02; done; exit 3");
    const daemon = startDaemon(fixture, request);
    await eventually(async () => expect(linesOf(request, "runs")).toEqual(["run"]));
    await daemon.kill();
    const answer = fixture.scm.runCheck(request, always);
    writeFileSync(join(request.env["OUT"] ?? "", "go"), "");
    expect(await answer).toMatchObject({ kind: "failed", code: 3 });
    expect(linesOf(request, "runs")).toEqual(["run"]);
    await expectNothingLeft(fixture, request);
  });

  it("is answered from what it left if it ended meanwhile", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "echo run >>$OUT/runs; sleep 0.3; echo by itself");
    const daemon = startDaemon(fixture, request);
    await eventually(async () => expect(linesOf(request, "runs")).toEqual(["run"]));
    await daemon.kill();
    await eventually(async () => expect(existsSync(join(request.folder, "run/exit"))).toBe(true));
    expect(await fixture.scm.runCheck(request, always)).toMatchObject({ kind: "passed", log: "by itself" });
    expect(linesOf(request, "runs")).toEqual(["run"]);
    await expectNothingLeft(fixture, request);
  });

  it("is ended when its time is over, counted from its start", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "echo run >>$OUT/runs; sleep 1000", { timeoutMs: 600_000 });
    const daemon = startDaemon(fixture, request);
    await eventually(async () => expect(linesOf(request, "runs")).toEqual(["run"]));
    await daemon.kill();
    writeFileSync(join(request.folder, "run/started"), String(Date.now() - 600_001));
    expect((await fixture.scm.runCheck(request, always)).kind).toBe("timed-out");
    await expectNothingLeft(fixture, request);
  });

  it("continues from its set-up, which is not repeated", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const setup = "echo setup >>$OUT/setups; until test -e $OUT/go; do sleep 0.02; done; echo dep >dep";
    const request = aCheck(fixture, "cat dep", { setup });
    const daemon = startDaemon(fixture, request);
    await eventually(async () => expect(linesOf(request, "setups")).toEqual(["setup"]));
    await daemon.kill();
    const answer = fixture.scm.runCheck(request, always);
    writeFileSync(join(request.env["OUT"] ?? "", "go"), "");
    expect(await answer).toMatchObject({ kind: "passed", log: "dep" });
    expect(linesOf(request, "setups")).toEqual(["setup"]);
    await expectNothingLeft(fixture, request);
  });

  it("starts over if nothing of it lives, and leaves nothing of the first behind", async () => {
    const fixture = openScmFixture(makeLocalScm);
    const request = aCheck(fixture, "test ! -e half && echo run >>$OUT/runs");
    mkdirSync(join(request.folder, "tree/half"), { recursive: true });
    mkdirSync(join(request.folder, "run"));
    const env = { ...process.env, AO_INTENT: request.intentId };
    const orphan = spawn("sleep", ["1000"], { env, detached: true, stdio: "ignore" });
    orphan.unref();
    expect((await fixture.scm.runCheck(request, always)).kind).toBe("passed");
    expect(linesOf(request, "runs")).toEqual(["run"]);
    expect(fixture.host.processes.identify(orphan.pid ?? 0)).toBeNull();
    expect(readdirSync(request.folder).sort()).toEqual(["answer.json", "log", "run", "starts"]);
  });
});
