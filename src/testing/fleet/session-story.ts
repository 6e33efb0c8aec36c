import type { StoredSignal } from "../../core/agent-signal.ts";
import { nameSession } from "../../core/name.ts";
import { ACTIVITIES, AGENTS, type ProjectId } from "./sample.ts";
import type { SimulatedFleet, Surroundings } from "./simulated-fleet.ts";

/** From this number on a session is in the past: its work is merged. */
export const FIRST_PAST = 1000;

/** One session of the sample fleet and its role. */
export interface Cast {
  readonly n: number;
  readonly projectId: ProjectId;
  /** null: its id comes from its title. */
  readonly issue: string | null;
  readonly title: string;
}

/** A step of a story, this many minutes after its start. */
export interface Step {
  readonly minute: number;
  readonly run: (fleet: SimulatedFleet) => Promise<void>;
}

/** What can happen in a story, each with its minute. */
export interface Telling {
  readonly sessionId: string;
  readonly steps: Step[];
  /** The agent reports what it does, and its usage so far. */
  work(minute: number): void;
  signal(minute: number, ...signals: readonly StoredSignal[]): void;
  /** The turn ends with a commit of this many lines. */
  finishTurn(minute: number, lines: { readonly added: number; readonly removed: number; readonly files: number }): void;
  /** The running checks end now, with these ones red. */
  checksEnd(minute: number, failing?: readonly string[]): void;
  review(minute: number, verdict: "approve" | "request-changes", author: string): void;
  change(minute: number, alter: (around: Surroundings) => void): void;
  at(minute: number, run: Step["run"]): void;
}

/** Starts the story of a session: its task is given, and its agent gets to work. */
export function beginStory({ n, projectId, issue, title }: Cast): Telling {
  const sessionId = idOf({ projectId, issue, title });
  const agent = agentOf(n);
  const steps: Step[] = [];
  const at: Telling["at"] = (minute, run) => steps.push({ minute, run });
  let commits = 0;
  const used = {
    kind: "usage",
    inputTokens: 61_000 + 900 * (n % 17),
    cachedTokens: 48_000,
    outputTokens: 2100,
  } as const;
  const telling: Telling = {
    sessionId,
    steps,
    at,
    work: (minute) =>
      at(minute, async (fleet) => {
        const note = ACTIVITIES[(n + Math.floor(minute)) % ACTIVITIES.length] ?? "thinking";
        // A past session represents many sessions of its day.
        const usage = { ...used, costUsd: agent.costUsd * (n < FIRST_PAST ? 1 : 9), model: agent.model };
        await fleet.say(sessionId, usage, { kind: "status", state: "working", note });
        fleet.loop.world.noteReport(sessionId, liveReport(fleet, sessionId, note));
      }),
    signal: (minute, ...signals) => at(minute, (fleet) => fleet.say(sessionId, ...signals)),
    finishTurn: (minute, lines) =>
      at(minute, async (fleet) => {
        commits += 1;
        const { base, of } = fleet.commits;
        fleet.surroundingsOf(sessionId).branch = {
          head: of({ n, commits, isLarge: lines.files > 3 }),
          baseHead: base,
          ahead: commits,
          uncommitted: null,
          lines,
        };
        fleet.surroundingsOf(sessionId).checkResult = () => null;
        await fleet.say(sessionId, { kind: "done", summary: `${title}.` });
        await fleet.settle();
      }),
    checksEnd: (minute, failing = []) =>
      at(minute, async (fleet) => {
        fleet.surroundingsOf(sessionId).checkResult = (check) => (failing.includes(check) ? "failed" : "passed");
        await fleet.finishChecks(sessionId);
      }),
    review: (minute, verdict, author) =>
      at(minute, (fleet) => giveReview(fleet, sessionId, { id: `rv-${n}-${Math.floor(minute)}`, verdict, author })),
    change: (minute, alter) => at(minute, async (fleet) => alter(fleet.surroundingsOf(sessionId))),
  };
  at(0, (fleet) => createSession(fleet, { n, projectId, issue, title }));
  return telling;
}

interface GivenReview {
  readonly id: string;
  readonly verdict: "approve" | "request-changes";
  readonly author: string;
}

async function giveReview(
  fleet: SimulatedFleet,
  sessionId: string,
  { id, verdict, author }: GivenReview,
): Promise<void> {
  const key = keyOf(fleet, sessionId);
  if (key === null) return;
  const isApproval = verdict === "approve";
  const text = { inline: "A day is fine for the shop, but admins must see a new image at once." };
  const comment = { path: "src/image/cache.ts", line: 20, text };
  const said = {
    body: isApproval ? null : { inline: "One question about the cache." },
    comments: isApproval ? [] : [comment],
  };
  await fleet.submit({ type: "change.review", key, reviewId: id, author, verdict, ...said, head: null });
  await fleet.settle();
}

async function createSession(fleet: SimulatedFleet, { n, projectId, issue, title }: Cast): Promise<void> {
  const sessionId = idOf({ projectId, issue, title });
  const { world } = fleet.loop;
  await fleet.submit({
    type: "session.create",
    projectId,
    issue,
    title,
    role: "worker",
    agent: { plugin: agentOf(n).plugin, config: {} },
    runtime: { plugin: "process", config: {} },
    workspace: { plugin: "worktree", config: {} },
    input: "inbox",
    branch: null,
    base: null,
    prompt: { inline: `${title}.` },
    promptBytes: title.length + 1,
    messageId: `m-${sessionId}`,
    now: false,
  });
  await fleet.settle();
  if (world.view.session(sessionId)?.run.state === "alive")
    await fleet.say(sessionId, { kind: "conversation", id: `c-${sessionId}`, resumes: true });
}

function idOf({ projectId, issue, title }: Omit<Cast, "n">): string {
  return nameSession({ prefix: projectId, title, issue, branch: null, isTaken: () => false }).id;
}

function agentOf(n: number): (typeof AGENTS)[number] {
  return AGENTS[n % AGENTS.length] ?? AGENTS[0];
}

function liveReport(fleet: SimulatedFleet, sessionId: string, note: string) {
  const session = fleet.loop.world.view.session(sessionId);
  if (session === undefined) return null;
  return { run: session.run.n, state: "working", note, at: session.updatedAt } as const;
}

/** The open pull request of a session; null: none. */
export function keyOf(fleet: SimulatedFleet, sessionId: string): string | null {
  for (const { key, phase } of fleet.loop.world.view.changesOf(sessionId)) if (phase === "open") return key;
  return null;
}
