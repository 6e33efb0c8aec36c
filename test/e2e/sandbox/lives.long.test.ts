import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseSocket } from "../../../src/plugins/runtime/tmux/names.ts";
import type { SessionDetailView } from "../../../src/protocol/views/session.ts";
import { git } from "../../../src/testing/git-repo.ts";
import { type Fleet, processesOf } from "../../support/fleet.ts";
import { until } from "../../support/until.ts";
import { ao } from "../survival/ao.ts";
import { reach } from "../survival/session.ts";
import { begin, hasBubblewrap, note, run, stage } from "./stage.ts";

const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** The program's command, which in a sandbox is not the holder's own child. */
function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
}

/** Processes of the fleet's agents with this command, by their numbers outside of the sandbox. */
function findCommand(fleet: Fleet, command: string): readonly number[] {
  return processesOf(fleet.home).filter((pid) => commandOf(pid).trim() === command);
}

function keeperOf(fleet: Fleet, { id, run: { n } }: SessionDetailView): number {
  return Number(readFileSync(join(fleet.home, "sessions", id, "runs", String(n), "pid"), "utf8"));
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

describe.skipIf(!hasBubblewrap)(`the life of an agent in a sandbox${note}`, () => {
  it("gets time to end; uncommitted work is saved and restored", async () => {
    const { fleet } = await stage();
    const { id } = await begin(fleet, "one");
    await run(fleet, id, "echo changed > a.txt; echo new > new.txt");
    await ao(fleet, "stop", id);
    expect(processesOf(fleet.home)).toEqual([]);
    const saved = git(fleet.repo, "for-each-ref", "--format=%(refname)", "refs/ao/preserved").trim();
    expect(git(fleet.repo, "ls-tree", "--name-only", saved).split("\n")).toContain("farewell.txt");
    await ao(fleet, "restore", id);
    await reach(fleet, id, "back", ({ run: now }) => now.n === 2 && now.state === "alive");
    expect(await run(fleet, id, "cat a.txt new.txt farewell.txt")).toBe("changed\nnew\nbye");
  });

  it.each<[string, (fleet: Fleet, session: SessionDetailView) => number]>([
    ["its program", (_, { run: { pid } }) => pid ?? 0],
    ["the bubblewrap around it", keeperOf],
  ])("resumes after a kill -9 of %s and leaves nothing behind", async (_, victim) => {
    const { fleet } = await stage();
    const { id } = await begin(fleet, "one");
    await run(fleet, id, "setsid sleep 1000 >/dev/null 2>&1 &");
    const left = findCommand(fleet, "sleep 1000");
    expect(left).toHaveLength(1);
    const before = await fleet.session(id);
    expect(commandOf(before.run.pid ?? 0)).toContain("shell-agent.mjs");
    expect(keeperOf(fleet, before)).not.toBe(before.run.pid);
    process.kill(victim(fleet, before), "SIGKILL");
    await reach(fleet, id, "at run 2", ({ run: now }) => now.n === 2 && now.state === "alive");
    expect([before.run.pid ?? 0, ...left].filter(isAlive)).toEqual([]);
    expect(await run(fleet, id, 'echo "$AO_RESUME" && git status --short')).toBe("1");
  });

  it("survives the daemon, and the next one finds it", async () => {
    const { fleet } = await stage();
    const { id, run: first } = await begin(fleet, "one");
    await fleet.kill();
    expect(isAlive(first.pid ?? 0)).toBe(true);
    await fleet.start();
    expect(await run(fleet, id, "echo here")).toBe("here");
    expect((await fleet.session(id)).run).toMatchObject({ n: 1, pid: first.pid });
  });

  it.skipIf(!hasTmux)("has its terminal under tmux, but cannot reach the tmux server", async () => {
    const { fleet, user } = await stage("bubblewrap", { runtime: "tmux" });
    const socket = chooseSocket(fleet.home).path;
    onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
    const asked = { title: "one", prompt: "$ tty -s </dev/tty && touch typed.txt" };
    const { body } = await fleet.write<SessionDetailView>("POST", "/api/sessions", asked);
    const { workspacePath } = await reach(fleet, body.id, "there", (seen) => seen.workspacePath !== null);
    const made = (name: string): boolean => existsSync(join(workspacePath ?? "", name));
    await until("the command to be run", () => made("typed.txt"));
    await ao(fleet, "send", body.id, `$ touch ${user}/x; tmux -S ${socket} kill-server; touch tried.txt`);
    await until("the next one too", () => made("tried.txt"));
    expect(readdirSync(user)).toEqual([]);
    expect((await fleet.session(body.id)).run).toMatchObject({ n: 1, state: "alive" });
    await ao(fleet, "stop", body.id);
    expect(processesOf(fleet.home)).toEqual([]);
    const saved = git(fleet.repo, "for-each-ref", "--format=%(refname)", "refs/ao/preserved").trim();
    expect(git(fleet.repo, "ls-tree", "--name-only", saved).split("\n")).toContain("farewell.txt");
  });
});
