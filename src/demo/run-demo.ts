import { setTimeout as delay } from "node:timers/promises";
import { AoError } from "../core/errors.ts";
import { createBell } from "./bell.ts";
import { type DemoDaemon, type DemoView, pullRequestOf, readView } from "./demo-view.ts";
import { type DemoForge, reviewOnForge } from "./forge.ts";
import { type DemoStep, nameReview, nextStep } from "./next-step.ts";
import { describeProgress, isGone, type ProgressRow } from "./progress.ts";
import { PROJECT, REVIEWER } from "./story.ts";
import { type Summary, summarize } from "./summary.ts";
import { evolveTale, NO_TALE, type Tale } from "./tale.ts";

/** What the demo shows while it runs. */
export interface DemoScreen {
  /** `total` includes tasks without a session. */
  show(rows: readonly ProgressRow[], total: number): void;
  /** What the demo itself does in a person's place. */
  tell(who: string, what: string): void;
}

export interface DemoOptions {
  readonly daemon: DemoDaemon;
  readonly screen: DemoScreen;
  readonly signal: AbortSignal;
  /** Where pull requests are reviewed; null: in `ao`. */
  readonly forge: DemoForge | null;
  /** How long the demo's people think before they act. */
  readonly thinkMs: number;
  /** After this much silence of the whole daemon, nothing will happen any more. */
  readonly silenceMs?: number;
}

/** How it ended. */
export interface DemoEnd {
  readonly how: "merged" | "stuck" | "interrupted";
  readonly summary: Summary;
}

/** Events come in bursts; read the state at most this often. */
const LOOK_MS = 100;
const SILENCE_MS = 90_000;
const MAX_REFUSALS = 10;

/** Starts an agent for every open issue and plays the people until everything is merged or nothing moves. */
export async function runDemo(options: DemoOptions): Promise<DemoEnd> {
  const { daemon, screen, signal } = options;
  const startedAt = performance.now();
  const bell = createBell();
  const log = followLog(daemon, signal, bell.ring);
  const people = createPeople(options, bell.ring);
  const issues = await openIssues(daemon);
  const show = (view: DemoView): void => screen.show(describeProgress(view, log.tale()), issues.length);
  await spawnAll(options, issues, show);
  for (;;) {
    const view = await readView(daemon);
    show(view);
    const end = (how: DemoEnd["how"]): DemoEnd => ({
      how,
      summary: summarize(view, log.tale(), performance.now() - startedAt),
    });
    if (signal.aborted) return end("interrupted");
    if (isOver(view, log.tale())) return end("merged");
    people.consider(view);
    await delay(LOOK_MS);
    const wasRung = await bell.wait(options.silenceMs ?? SILENCE_MS, signal);
    log.check();
    people.check();
    if (!wasRung && !signal.aborted) return end("stuck");
  }
}

/** Starts an agent for each open issue, one after another, so that the first ones get the first slots. */
async function spawnAll(
  { daemon, signal }: DemoOptions,
  issues: readonly string[],
  onView: (view: DemoView) => void,
): Promise<void> {
  for (const issue of issues) {
    const hasSession = ({ sessions }: DemoView): boolean => sessions.some((session) => session.issue === issue);
    let view = await readView(daemon);
    while (!hasSession(view) && !signal.aborted) {
      // A daemon that died may already have accepted the request; the next read shows it.
      await daemon.call("POST /api/sessions", { input: { projectId: PROJECT, issue } }).catch(passOver);
      view = await readView(daemon);
      onView(view);
    }
  }
}

function passOver(error: unknown): void {
  if (!(error instanceof AoError) || error.code !== "daemon-unreachable") throw error;
}

async function openIssues(daemon: DemoDaemon): Promise<readonly string[]> {
  const { data } = await daemon.call("GET /api/projects/:id/issues", {
    params: { id: PROJECT },
    input: { state: "open" },
  });
  return data.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
}

/** Everything is merged and the follow-up work is done. */
export function isOver(view: DemoView, tale: Tale): boolean {
  if (view.sessions.length === 0) return false;
  return view.sessions.every((session) => {
    const change = pullRequestOf(view, session.issue);
    const progress = change === null ? undefined : tale.changes[change.key];
    return isGone(session) && progress?.isBranchSettled === true && progress.isIssueSettled;
  });
}

function followLog(daemon: DemoDaemon, signal: AbortSignal, onEvent: () => void): { tale(): Tale; check(): void } {
  let tale = NO_TALE;
  let failure: unknown = null;
  const follow = async (): Promise<void> => {
    for await (const event of daemon.events(signal)) {
      tale = evolveTale(tale, event);
      onEvent();
    }
  };
  follow().catch((error: unknown) => {
    failure = error;
    onEvent();
  });
  const check = (): void => {
    if (failure !== null && !signal.aborted) throw failure;
  };
  return { tale: () => tale, check };
}

/** The demo's people: they do one thing at a time, and think first. */
function createPeople(
  { daemon, forge, screen, signal, thinkMs }: DemoOptions,
  onDone: () => void,
): { consider(view: DemoView): void; check(): void } {
  const given = new Set<string>();
  let isBusy = false;
  let refusals = 0;
  let failure: unknown = null;
  const act = async (step: DemoStep): Promise<void> => {
    await delay(thinkMs, undefined, { signal });
    await perform(daemon, forge, step);
    if (step.kind === "review") given.add(nameReview(step));
    refusals = 0;
    const { who, what } = describeStep(step);
    screen.tell(who, what);
  };
  const consider = (view: DemoView): void => {
    const step = isBusy || signal.aborted ? null : nextStep(view, given);
    if (step === null) return;
    isBusy = true;
    act(step)
      .catch((error: unknown) => {
        // The state may have moved on; the next read decides again.
        refusals += 1;
        if (!(error instanceof AoError) || refusals >= MAX_REFUSALS) failure = error;
      })
      .finally(() => {
        isBusy = false;
        onDone();
      });
  };
  const check = (): void => {
    if (failure !== null && !signal.aborted) throw failure;
  };
  return { consider, check };
}

async function perform(daemon: DemoDaemon, forge: DemoForge | null, step: DemoStep): Promise<void> {
  if (step.kind === "answer") {
    const { sessionId, choice } = step;
    await daemon.call("POST /api/sessions/:id/permission", { params: { id: sessionId }, input: { choice } });
    return;
  }
  const { projectId, number } = step.change;
  if (forge !== null) {
    await reviewOnForge(forge, number, step.review);
    return;
  }
  const params = { project: projectId, number: String(number) };
  await daemon.call("POST /api/pull-requests/:project/:number/review", { params, input: step.review });
}

/** A step of the demo's people as a sentence. */
export function describeStep(step: DemoStep): { readonly who: string; readonly what: string } {
  if (step.kind === "answer") return { who: "demo person", what: `answers ${step.sessionId}: ${step.choice}` };
  const { change, review } = step;
  const [comment] = review.comments ?? [];
  if (comment === undefined) return { who: REVIEWER, what: `approves #${change.number} (${change.title})` };
  const place = `${comment.path}:${comment.line}`;
  return { who: REVIEWER, what: `requests a change in #${change.number}, at ${place}: "${comment.text}"` };
}
