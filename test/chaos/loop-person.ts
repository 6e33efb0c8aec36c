import { setTimeout as pause } from "node:timers/promises";
import type { PullRequestView } from "../../src/protocol/views/pull-request.ts";
import type { SessionDetailView } from "../../src/protocol/views/session.ts";
import { git } from "../../src/testing/git-repo.ts";
import { lastEvents } from "../support/last-events.ts";
import type { LoopFleet } from "../support/loop.ts";
import { until } from "../support/until.ts";
import { CHOICE, HELP, type LoopTask, REMARK } from "./loop-tasks.ts";

const LOOK_MS = 80;

/** A task and the session that works on it. */
export interface Begun {
  readonly task: LoopTask;
  readonly sessionId: string;
}

/** Starts a session for each task. */
export async function beginAll(fleet: LoopFleet, tasks: readonly LoopTask[]): Promise<readonly Begun[]> {
  const begun: Begun[] = [];
  for (const task of tasks) begun.push({ task, sessionId: (await fleet.begin(task.issue, task.title)).id });
  return begun;
}

/** Plays the person until everything is merged or given up: answers, reviews, approves, and restarts a dead daemon. */
export async function playPerson(fleet: LoopFleet, begun: readonly Begun[], limitMs: number): Promise<void> {
  let last: readonly PullRequestView[] = [];
  const turn = async (): Promise<boolean> => {
    // Polling without a pause would take CPU from the others.
    await pause(LOOK_MS);
    if (!fleet.isUp()) await fleet.start();
    last = await fleet.pullRequests();
    for (const one of begun) await attend(fleet, one, begun, last);
    return isOver(fleet, begun);
  };
  await until("every task to be merged or given up", turn, limitMs).catch(async (error: unknown) => {
    throw new Error([String(error), ...last.map(describe), await lastEvents(fleet)].join("\n"));
  });
}

function describe({ key, title, status, evidence, blockers }: PullRequestView): string {
  return `${key} ${title}: ${status} (${evidence}) ${blockers.join("; ")}`;
}

async function attend(
  fleet: LoopFleet,
  { task, sessionId }: Begun,
  begun: readonly Begun[],
  all: readonly PullRequestView[],
): Promise<void> {
  const session = await fleet.session(sessionId);
  // A person's actions have keys derived from their subject, so that repeating one after a crash does nothing twice.
  if (session.agentStatus === "exited")
    await post(fleet, sessionId, "restore", {}, `restore/${sessionId}/${session.run.n}`);
  if (session.question !== null) await answer(fleet, session);
  const pr = all.find((one) => one.sessionId === sessionId && one.phase === "open");
  if (pr !== undefined) await look(fleet, task, pr, begun, all);
  if (task.kind === "stuck" && all.some((one) => one.sessionId === sessionId && one.phase === "closed")) {
    await fleet.write("DELETE", `/api/sessions/${sessionId}`, undefined, `stop/${sessionId}`);
  }
}

async function answer(fleet: LoopFleet, session: SessionDetailView): Promise<void> {
  // An agent that died asks again: that is another question that needs another answer.
  const key = `answer/${session.id}/${session.question?.id}/${session.run.n}`;
  await post(fleet, session.id, "permission", { choice: CHOICE }, key);
}

async function look(
  fleet: LoopFleet,
  task: LoopTask,
  pr: PullRequestView,
  begun: readonly Begun[],
  all: readonly PullRequestView[],
): Promise<void> {
  const { key, head } = pr;
  for (const { name, state, code, attempt } of pr.checks) {
    const isKilled = state === "failed" && (code ?? 0) > 128;
    const isNoVerdict = isKilled || state === "unknown" || state === "setup-failed";
    if (isNoVerdict) await change(fleet, key, "rerun", { check: name }, `rerun/${key}/${name}/${head}/${attempt}`);
  }
  if (task.kind === "stuck") {
    if (isCalledFor(fleet, pr)) await change(fleet, key, "close", { reason: "it never gets green" }, `close/${key}`);
    return;
  }
  const isRed = pr.checks.some(({ state, code }) => state === "failed" && code === 1);
  // Retries used up by killed checks are given back by hand.
  if (isRed && isCalledFor(fleet, pr))
    await post(fleet, pr.sessionId ?? "", "message", { content: HELP }, `help/${key}/${head}`);
  if (!isGreen(pr) || (task.kind === "conflict" && !areBothThere(begun, all))) return;
  if (task.kind === "review" && !hasFinal(fleet, head)) {
    const comments = [{ path: "three.txt", line: 1, text: REMARK }];
    const review = { verdict: "request-changes", body: "Not yet.", comments, author: "rita", head };
    await change(fleet, key, "review", review, `review/${key}`);
  } else {
    await change(fleet, key, "review", { verdict: "approve", author: "rita", head }, `approve/${key}/${head}`);
  }
}

// Only if both were made from the same base do they conflict.
function areBothThere(begun: readonly Begun[], all: readonly PullRequestView[]): boolean {
  const pair = begun.filter(({ task }) => task.kind === "conflict");
  return pair.every(({ sessionId }) => all.some((one) => one.sessionId === sessionId));
}

function isCalledFor(fleet: LoopFleet, pr: PullRequestView): boolean {
  return fleet.hook.notices().some((one) => one.key === "ci-failed" && one.sessionId === pr.sessionId);
}

function isGreen({ checks }: PullRequestView): boolean {
  return checks.length > 0 && checks.every(({ state }) => state === "passed");
}

function hasFinal(fleet: LoopFleet, head: string): boolean {
  return git(fleet.repo, "show", `${head}:three.txt`) === "final\n";
}

async function post(fleet: LoopFleet, sessionId: string, what: string, body: unknown, key: string): Promise<void> {
  await fleet.write("POST", `/api/sessions/${sessionId}/${what}`, body, key);
}

async function change(fleet: LoopFleet, pr: string, what: string, body: unknown, key: string): Promise<void> {
  // A refusal means that it has moved on; the next poll sees its state.
  await fleet.write("POST", `/api/pull-requests/${pr}/${what}`, body, key);
}

async function isOver(fleet: LoopFleet, begun: readonly Begun[]): Promise<boolean> {
  for (const { sessionId } of begun) if ((await fleet.session(sessionId)).agentStatus !== "stopped") return false;
  // The branch goes last.
  const branches = git(fleet.repo, "for-each-ref", "--format=%(refname:short)", "refs/heads/agent").split("\n");
  return begun.every(({ task }) => task.kind === "stuck" || !branches.includes(`agent/issue-${task.issue}`));
}
