import { setTimeout as pause } from "node:timers/promises";
import { git } from "../../src/testing/git-repo.ts";
import { PATIENCE_MS } from "../../src/testing/patience.ts";
import { judgeLeftovers, listOrphans } from "../support/judge-leftovers.ts";
import { judgeLoop } from "../support/judge-loop.ts";
import { type LoopFleet, type LoopOptions, makeLoop } from "../support/loop.ts";
import { seededRandom } from "../support/random.ts";
import { until } from "../support/until.ts";
import { type Begun, beginAll, playPerson } from "./loop-person.ts";
import { chooseVictims, findVictims, type Strike, strike, type Victim } from "./loop-strike.ts";
import { HELP, type LoopTask, REMARK, scriptsOf } from "./loop-tasks.ts";

export const RETRIES = 2;

/** A project for these tasks; a red check is urgent, because other notifications are grouped. */
export function makeRound(
  tasks: readonly LoopTask[],
  options: Pick<LoopOptions, "entry" | "env" | "files" | "checks" | "checkSeconds"> = {},
): Promise<LoopFleet> {
  return makeLoop({
    ...options,
    scripts: { ...scriptsOf(tasks), default: { scenes: [{ do: [{ done: "" }] }] } },
    reactions: { "ci-failed": { action: "send-to-agent", retries: RETRIES, priority: "urgent" } },
  });
}

/** Runs the tasks to their end under kills; returns what the checker finds, and what was killed. */
export async function liveRound(
  fleet: LoopFleet,
  tasks: readonly LoopTask[],
  options: { readonly kills: number; readonly seed: number; readonly terminal?: boolean; readonly limitMs?: number },
): Promise<{ readonly faults: readonly string[]; readonly struck: readonly Strike[] }> {
  const struck: Strike[] = [];
  const begun = await beginAll(fleet, tasks);
  const terminal = options.terminal === true ? await beginTerminal(fleet) : null;
  const life = { isOver: false };
  const killing = killNowAndThen(fleet, options, life, struck);
  const faults: string[] = [];
  await playPerson(fleet, begun, options.limitMs ?? PATIENCE_MS)
    .catch((error: unknown) => faults.push(String(error)))
    .finally(() => {
      life.isOver = true;
    });
  await killing;
  if (terminal !== null) await endTerminal(fleet, terminal);
  return { faults: [...faults, ...(await judgeRound(fleet, begun, struck))], struck };
}

async function killNowAndThen(
  fleet: LoopFleet,
  { kills, seed }: { readonly kills: number; readonly seed: number },
  life: { readonly isOver: boolean },
  struck: Strike[],
): Promise<void> {
  const random = seededRandom(seed);
  for (const kind of chooseVictims(random)) {
    if (struck.length >= kills || life.isOver) return;
    // Only the moment of the kill must be random in time.
    await awaitVictim(fleet, kind, life);
    await pause(random() * (kind === "check" ? 150 : 700));
    const hit = life.isOver ? null : await strike(fleet, kind, random);
    if (hit !== null) struck.push(hit);
  }
}

// A check lives only for a moment, so this does not wait for one.
async function awaitVictim(fleet: LoopFleet, kind: Victim, life: { readonly isOver: boolean }): Promise<void> {
  const deadline = Date.now() + (kind === "check" ? 12_000 : 3000);
  const isThere = (): boolean => (kind === "daemon" ? fleet.isUp() : findVictims(fleet, kind).length > 0);
  while (!isThere() && Date.now() < deadline && !life.isOver) await pause(25);
}

async function beginTerminal(fleet: LoopFleet): Promise<string> {
  const body = { title: "terminal", prompt: "look", runtime: "tmux" };
  const answer = await fleet.write<{ id: string }>("POST", "/api/sessions", body, "terminal");
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

async function endTerminal(fleet: LoopFleet, id: string): Promise<void> {
  await fleet.write("DELETE", `/api/sessions/${id}`, undefined, "terminal/stop");
  await until("the terminal to be stopped", async () => (await fleet.session(id)).agentStatus === "stopped");
  git(fleet.repo, "branch", "-D", "agent/terminal");
}

/** What the checker finds when everything is over. */
export async function judgeRound(
  fleet: LoopFleet,
  begun: readonly Begun[],
  struck: readonly Strike[],
): Promise<readonly string[]> {
  const kept = begun.filter(({ task }) => task.kind === "stuck").map(({ sessionId }) => sessionId);
  const branches: string[] = [];
  for (const id of kept) branches.push((await fleet.session(id)).branch);
  const { dir, repo, home, tmp } = fleet;
  const spared = [fleet.daemonPid()];
  // Processes that were asked to end get a moment.
  await until("processes to end", () => listOrphans(dir, home).length <= 1, 3000).catch(() => undefined);
  const records = {
    repo,
    tasks: begun.map(({ task, sessionId }) => ({
      ...task,
      sessionId,
      isClosed: fleet.isClosed(task.issue),
      diary: fleet.diary(sessionId),
      receipts: fleet.receipts(sessionId),
    })),
    verdicts: fleet.verdicts(),
    notices: fleet.hook.notices(),
    killed: new Set(struck.flatMap(({ commit }) => commit ?? [])),
    retries: RETRIES,
    remark: REMARK,
    said: [HELP],
  };
  return [...judgeLoop(records), ...judgeLeftovers({ dir, repo, home, tmp, branches, spared })];
}
