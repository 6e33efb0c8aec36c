import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { isFull } from "../../../src/testing/full.ts";
import { git, makeRepo } from "../../../src/testing/git-repo.ts";
import { tempDir } from "../../../src/testing/temp.ts";
import { replayDifferences } from "../../support/replay.ts";
import { until } from "../../support/until.ts";
import { endEverything, main, plainEnvironment, processesIn, root, run, type Typed } from "../cli/shell.ts";
import { makeBuiltClone, makePathWithout } from "./clone.ts";
import { bearWitness, parentsOf } from "./witness.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** A person with an empty home, and a folder for the demo. */
function arrive(): { readonly dir: string; readonly sample: string; readonly env: Record<string, string> } {
  const dir = tempDir("ao-demo-test-");
  const userHome = join(dir, "home");
  mkdirSync(userHome);
  const sample = join(dir, "demo");
  onTestFinished(() => endEverything(join(sample, "home")));
  const { AO_HOME: _, ...env } = plainEnvironment(userHome);
  return { dir, sample, env };
}

async function expectAllOfIt(sample: string, typed: Typed): Promise<void> {
  expect(typed, typed.out).toMatchObject({ code: 0 });
  const repo = join(sample, "garden");
  const tasks = readdirSync(join(repo, ".ao/issues"));
  expect(typed.out).toContain(`\n${tasks.length} merged in `);
  await expectTheLog(join(sample, "home/ao.db"), tasks.length);
  expectTheRepository(repo, tasks.length);
  for (const name of tasks) expect(readFileSync(join(repo, ".ao/issues", name), "utf8")).toContain("state: closed");
  expect(processesIn(join(sample, "home"))).toEqual([]);
}

async function expectTheLog(database: string, tasks: number): Promise<void> {
  const witness = await bearWitness(database);
  expect(witness.merged).toHaveLength(tasks);
  expect(tasks).toBeGreaterThanOrEqual(6);
  expect(witness.overlap).toBeGreaterThanOrEqual(4);
  expect(witness).toMatchObject({
    redFixed: [expect.any(String)],
    changeMade: [expect.any(String)],
    conflictResolved: [expect.any(String)],
    answered: ["garden-6"],
    wentOn: ["garden-1"],
  });
  expect(await replayDifferences(database)).toEqual([]);
}

/** Everything is on main, and nothing is left over. */
function expectAllMerged(repo: string, tasks: number): void {
  const subjects = git(repo, "log", "--format=%s", "main").trim().split("\n");
  expect(subjects.filter((subject) => /\(#\d+\)$/.test(subject))).toHaveLength(tasks);
  expect(git(repo, "fsck", "--full", "--strict")).toBe("");
  expect(git(repo, "worktree", "list").trim().split("\n")).toHaveLength(1);
  expect(existsSync(join(repo, ".worktrees")) ? readdirSync(join(repo, ".worktrees")) : []).toEqual([]);
  expect(git(repo, "branch", "--format=%(refname:short)").trim()).toBe("main");
  expect(git(repo, "status", "--porcelain")).toBe("");
  expect(spawnSync(process.execPath, ["--test"], { cwd: repo }).status).toBe(0);
}

function expectTheRepository(repo: string, tasks: number): void {
  expectAllMerged(repo, tasks);
  const heads = git(repo, "for-each-ref", "--format=%(objectname)", "refs/ao/merged").trim().split("\n");
  // The conflict was resolved by a real merge of main into one branch.
  expect(heads.filter((head) => parentsOf(repo, head) === 2)).toHaveLength(1);
  expect(readFileSync(join(repo, "src/caption.js"), "utf8")).toContain("behind a fence, with butterflies");
  expect(readFileSync(join(repo, "src/wind.js"), "utf8")).toContain('"east"');
}

describe("npm start", () => {
  it("shows the whole loop with an empty home and without tmux, then exits", async () => {
    const { dir, sample, env } = arrive();
    const PATH = makePathWithout(dir, "tmux");
    const args = ["start", "--", "--exit", "--speed", "fast", "--dir", sample];
    const typed = await run("npm", args, { cwd: makeBuiltClone(dir), env: { ...env, PATH } });
    await expectAllOfIt(sample, typed);
    expect(existsSync(join(dir, "home/.agent-orchestrator"))).toBe(false);
    expect(typed.out).toMatch(/The demo plays the reviewer/);
    expect(typed.out).toMatch(/Dashboard \(one-time link, valid 5 minutes\):\n {2}http:\/\/localhost:\d+\/\?link=/);
    expect(typed.out).toContain(`cd ${sample}/garden && git log --oneline --graph`);
    expect(typed.out).not.toContain("\u001b");
  });

  it("with --forge github shows it on a local GitHub, from issue to merge, and in color on a terminal", async () => {
    const { dir, sample, env } = arrive();
    const tasks = isFull ? 7 : 3;
    const args = ["start", "--", "--forge", "github", "--exit", "--speed", "fast", "--dir", sample];
    const command = ["stty cols 120 rows 40; npm", ...args].join(" ");
    const typed = await run("script", ["-qefc", command, "/dev/null"], {
      cwd: makeBuiltClone(dir, tasks),
      env: { ...env, TERM: "xterm-256color" },
    });
    expect(typed, typed.out).toMatchObject({ code: 0, out: expect.stringContaining(`${tasks} merged in `) });
    expect(typed.out).not.toMatch(/\\x1b|\\u/);
    // A cell of the picture at the end.
    expect(typed.out).toContain("\u001b[35m(\u001b[0m");
    expect(typed.out).toContain(`On GitHub (octo/garden): ${tasks} issues worked on`);
    const witness = await bearWitness(join(sample, "home/ao.db"));
    expect(witness.merged).toHaveLength(tasks);
    expect(witness).toMatchObject({
      redFixed: [expect.any(String)],
      changeMade: [expect.any(String)],
      wentOn: ["garden-1"],
    });
    expect(witness.conflictResolved).toHaveLength(isFull ? 1 : 0);
    expectAllMerged(join(sample, "garden"), tasks);
    expect(processesIn(join(sample, "home"))).toEqual([]);
  });

  it("with an unknown forge lists the available ones", async () => {
    const args = [join(root, "scripts/start.mjs"), "--forge", "sourcehut"];
    const typed = await run(process.execPath, args, { env: arrive().env });
    expect(typed).toMatchObject({ code: 2, err: expect.stringContaining('unknown forge "sourcehut"') });
  });

  it("with a path runs ao start there and does nothing else", async () => {
    const { dir, env } = arrive();
    const repo = makeRepo(join(dir, "mine"));
    const home = join(dir, "home/.agent-orchestrator");
    onTestFinished(() => endEverything(home));
    const args = ["start", "--", repo, "--detach", "--port", "0"];
    const typed = await run("npm", args, { cwd: makeBuiltClone(dir), env: { ...env, AO_HOME: home } });
    expect(typed).toMatchObject({ code: 0, out: expect.stringContaining(`project mine: ${repo}`) });
    const typedList = await run(process.execPath, [main, "list", "--all", "--json"], {
      env: { ...env, AO_HOME: home },
    });
    expect(JSON.parse(typedList.out)).toEqual({ data: [] });
    expect(git(repo, "branch").trim()).toBe("* main");
  });
});

describe("ao demo", () => {
  // In `npm test` the loop runs in terminals in test/chaos/loop.test.ts.
  it.skipIf(!isFull || !hasTmux)("does the same with tmux (only in test:full, where tmux is installed)", async () => {
    const { sample, env } = arrive();
    const args = [main, "demo", "--exit", "--speed", "fast", "--dir", sample];
    await expectAllOfIt(sample, await run(process.execPath, args, { env }));
  });

  it.skipIf(!isFull)("ends the same way if its daemon is killed halfway (only in test:full)", async () => {
    const { sample, env } = arrive();
    const over = run(process.execPath, [main, "demo", "--exit", "--speed", "fast", "--dir", sample], { env });
    const file = join(sample, "home/daemon.json");
    const isUnderWay = (): boolean => existsSync(join(sample, "garden/.worktrees/issue-3"));
    await until("agents to work", isUnderWay);
    process.kill((JSON.parse(readFileSync(file, "utf8")) as { pid: number }).pid, "SIGKILL");
    await expectAllOfIt(sample, await over);
  });

  it("leaves nothing running when interrupted, and says where everything is", async () => {
    const { sample, env } = arrive();
    const child = spawn(process.execPath, [main, "demo", "--dir", sample], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString("utf8");
    });
    await until("an agent to work", () => /garden-2 {2}working/.test(out));
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(130);
    expect(processesIn(join(sample, "home"))).toEqual([]);
    expect(out).toContain(`Everything is stopped; the files are in ${sample}\n`);
    const worktrees = git(join(sample, "garden"), "worktree", "list").trim().split("\n");
    expect(worktrees, out).toEqual([expect.stringContaining("[main]")]);
  });

  it("refuses a folder that is not empty", async () => {
    const { dir, env } = arrive();
    const folder = join(dir, "mine");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.txt"), "mine\n");
    const typed = await run(process.execPath, [main, "demo", "--exit", "--dir", folder], { env });
    expect(typed).toMatchObject({ code: 2, err: expect.stringContaining(`${folder} is not empty.`) });
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it.each([
    [["--speed", "slow"], 'unknown speed "slow"'],
    [["--port", "many"], "--port is not a port: many"],
  ])("rejects the arguments %j", async (args, message) => {
    const { env } = arrive();
    const typed = await run(process.execPath, [main, "demo", ...args], { env });
    expect(typed).toMatchObject({ code: 2, err: expect.stringContaining(message) });
  });
});
