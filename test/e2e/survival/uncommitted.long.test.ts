import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseSocket } from "../../../src/plugins/runtime/tmux/names.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { isFull } from "../../../src/testing/full.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { type Fleet, makeFleet, processesOf } from "../../support/fleet.ts";
import { judgeDeliveries } from "../../support/judge.ts";
import { killAll } from "../../support/kill-all.ts";
import { until } from "../../support/until.ts";
import { findHolders } from "../../support/victims.ts";
import { ao, runAo } from "./ao.ts";
import { COMMITTED, makeDirty, photograph } from "./dirty-tree.ts";
import { begin, open, reach, tell } from "./session.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

interface Scene {
  readonly fleet: Fleet;
  readonly id: string;
  readonly folder: string;
  readonly before: ReturnType<typeof photograph>;
  readonly session: SessionDetailView;
}

/** A session with every kind of uncommitted work in its folder, and an agent that is done with its task. */
async function stage(): Promise<Scene> {
  const fleet = await makeFleet({ files: COMMITTED });
  await open(fleet);
  const session = await begin(fleet, "one");
  const folder = session.workspacePath ?? "";
  makeDirty(folder);
  return { fleet, id: session.id, folder, before: photograph(folder), session };
}

/** The files are unchanged, and the agent of run `run` takes a message. */
async function expectAlive({ fleet, id, folder, before }: Scene, run: number): Promise<void> {
  const session = await reach(fleet, id, `at run ${run}`, (now) => now.run.n === run && now.run.state === "alive");
  expect(session.workspacePath).toBe(folder);
  await tell(fleet, id, "are you there?");
  expect(photograph(folder)).toEqual(before);
  const starts = fleet.diary(id).filter((entry) => entry.event === "start");
  expect(starts.map((entry) => entry.resume)).toEqual([false, ...Array(run - 1).fill(true)]);
  expect(judgeDeliveries(["task", "are you there?"], fleet.diary(id), fleet.receipts(id))).toEqual([]);
}

describe("uncommitted work", () => {
  it("is fully restored by `ao restore` after `ao stop`", async () => {
    const scene = await stage();
    const { fleet, id, folder } = scene;
    expect(await ao(fleet, "stop", id)).toContain("refs/ao/preserved/");
    expect(existsSync(folder)).toBe(false);
    expect(processesOf(fleet.home)).toEqual([]);
    await ao(fleet, "restore", id);
    await expectAlive(scene, 2);
  });

  it("is kept by `ao cleanup`, which refuses a running session and one whose work is saved", async () => {
    const scene = await stage();
    const { fleet, id, folder, before } = scene;
    expect(await ao(fleet, "cleanup")).toMatch(/kept demo-one .*still running/);
    expect(photograph(folder)).toEqual(before);
    await ao(fleet, "stop", id);
    expect(await ao(fleet, "cleanup")).toMatch(/kept demo-one .*refs\/ao\/preserved/);
    expect(git(fleet.repo, "branch", "--list", "agent/one")).toContain("agent/one");
    await ao(fleet, "restore", id);
    await expectAlive(scene, 2);
  });

  const victims: readonly (readonly [string, (scene: Scene) => void])[] = [
    ["agent", ({ session }) => kill(session.run.pid ?? 0)],
    ["holder and the agent", ({ fleet, session }) => kill(...findHolders(fleet.home), session.run.pid ?? 0)],
    ["whole session", ({ fleet }) => kill(...processesOf(fleet.home))],
  ];

  // The last two end the same run in other orders; test/chaos/kills.long.test.ts kills in any.
  it.each(isFull ? victims : victims.slice(0, 1))(
    "survives a SIGKILL of the %s, and the agent restarts",
    async (_, strike) => {
      const scene = await stage();
      strike(scene);
      await expectAlive(scene, 2);
      expect(JSON.parse(await ao(scene.fleet, "restore", scene.id, "--json"))).toMatchObject({ run: { n: 2 } });
    },
  );

  it("survives a killed holder: the agent keeps running, and restarts if it dies too", async () => {
    const scene = await stage();
    const { fleet, id, session, folder, before } = scene;
    kill(...findHolders(fleet.home));
    await tell(fleet, id, "are you there?");
    expect(fleet.diary(id).filter((entry) => entry.event === "start")).toHaveLength(1);
    expect(photograph(folder)).toEqual(before);
    kill(session.run.pid ?? 0);
    await reach(fleet, id, "at run 2", (now) => now.run.n === 2 && now.run.state === "alive");
    await tell(fleet, id, "and now?");
    expect(photograph(folder)).toEqual(before);
    expect(judgeDeliveries(["task", "are you there?", "and now?"], fleet.diary(id), fleet.receipts(id))).toEqual([]);
  });

  it.each(["SIGINT", "SIGKILL"] as const)(
    "survives when the daemon gets %s, and the agent keeps running",
    async (signal) => {
      const scene = await stage();
      process.kill(scene.fleet.daemonPid(), signal);
      expect(await scene.fleet.exitOf()).toBe(signal === "SIGINT" ? 0 : null);
      expect(photograph(scene.folder)).toEqual(scene.before);
      await scene.fleet.start();
      await expectAlive(scene, 1);
    },
  );

  const moments: readonly (readonly [string, (scene: Scene) => boolean])[] = [
    ["was requested", () => true],
    ["ended the agent", ({ session }) => !existsSync(`/proc/${session.run.pid}`)],
    ["saved the work", ({ fleet }) => git(fleet.repo, "for-each-ref", "refs/ao/preserved") !== ""],
    ["moved the folder", ({ folder }) => !existsSync(folder)],
  ];

  // The worktree's own crash.long.test.ts dies after each effect of a removal; here one of them with a real daemon.
  it.each(isFull ? moments : moments.slice(2, 3))(
    "survives a SIGKILL of the daemon when `ao stop` %s",
    async (_, isTheMoment) => {
      const scene = await stage();
      const { fleet, id, folder } = scene;
      await fleet.api("DELETE", `/api/sessions/${id}`);
      // The moment lasts a few milliseconds, so it is polled without a pause.
      while (!isTheMoment(scene)) await nextTurn();
      await fleet.kill();
      await fleet.start();
      await reach(fleet, id, "stopped", (session) => session.status === "stopped");
      expect(existsSync(folder)).toBe(false);
      await ao(fleet, "restore", id);
      await expectAlive(scene, 2);
    },
  );

  it("is not touched by a second `ao restore` or a second `ao stop`", async () => {
    const scene = await stage();
    const { fleet, id } = scene;
    await Promise.all([ao(fleet, "stop", id), ao(fleet, "stop", id)]);
    await ao(fleet, "stop", id);
    const restores = await Promise.all([runAo(fleet, "restore", id), runAo(fleet, "restore", id)]);
    expect(restores.map((said) => said.code)).toEqual([0, 0]);
    await expectAlive(scene, 2);
  });
});

describe.skipIf(!hasTmux)(`uncommitted work under tmux${hasTmux ? "" : " (skipped: tmux is not installed)"}`, () => {
  it("survives a killed tmux server; the agent restarts in a new terminal", async () => {
    const fleet = await makeFleet({ files: COMMITTED, project: { runtime: "tmux" } });
    const socket = chooseSocket(fleet.home).path;
    const endServer = (): void => void spawnSync("tmux", ["-S", socket, "kill-server"]);
    onTestFinished(endServer);
    await open(fleet);
    const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", { title: "one", prompt: "task" });
    const { id } = body;
    const heard = (text: string): number =>
      fleet.diary(id).filter((entry) => entry.event === "torn" && JSON.stringify(entry).includes(text)).length;
    await until("the task to be typed", () => heard("task") === 1);
    const folder = (await fleet.session(id)).workspacePath ?? "";
    makeDirty(folder);
    const before = photograph(folder);
    endServer();
    const session = await reach(fleet, id, "at run 2", (now) => now.run.n === 2 && now.run.state === "alive");
    expect(session.workspacePath).toBe(folder);
    await ao(fleet, "send", id, "are you there?");
    await until("the message to be typed", () => heard("are you there?") === 1);
    expect(photograph(folder)).toEqual(before);
    expect(fleet.diary(id).filter((entry) => entry.event === "start")).toMatchObject([
      { resume: false },
      { resume: true },
    ]);
    expect(heard("task")).toBe(1);
  });
});

function kill(...pids: readonly number[]): void {
  expect(pids.length).toBeGreaterThan(0);
  killAll(pids);
}
