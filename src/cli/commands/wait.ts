import type { SessionDetailView } from "../../protocol/views/session.ts";
import { formatAge, parseDuration } from "../args/duration.ts";
import { didYouMean, misuse } from "../args/usage-error.ts";
import { type Client, connect } from "../client/client.ts";
import { followSessionDetail } from "../client/live-detail.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { formatError } from "../failure.ts";
import { print, printJson, write } from "../views/print.ts";
import { withLiveProgress } from "../views/progress.ts";
import { GOALS, type Goal, judge, type Verdict } from "./wait/judge-wait.ts";

const NEEDS_YOU = 3;
/** The maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const GOAL_HINT = "--for idle, pr, merged, exited or stopped";

const WORDS: Readonly<Record<Goal, string>> = {
  idle: "idle",
  pr: "a pull request",
  merged: "merged",
  exited: "exited",
  stopped: "stopped",
};

export const command = defineCommand({
  name: "wait",
  summary: "wait until a session is idle, has a pull request, or is merged",
  usage: ["[SESSION] --for idle|pr|merged|exited|stopped [--timeout 10m] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: {
    for: { type: "string", value: "STATE", summary: "idle, pr, merged, exited or stopped" },
    timeout: { type: "string", value: "TIME", summary: "give up after 30s, 5m, 1h" },
    json: { ...JSON_OPTION, summary: "print the session with `outcome` and `reason`" },
  },
  examples: ["ao wait my-app-fix-login --for pr --timeout 30m && ao review my-app-fix-login"],
  details:
    "idle: the agent has ended its turn. pr: a pull request is open or merged.\n" +
    "Exit codes: 0 reached; 1 it failed, was stopped, or time is up; 3 it needs you: the agent asks a question, or it is\n" +
    "idle without a commit and no pull request will come. The outcome in --json: reached, failed, timeout or needs-you.",
  async run({ args: [id = ""], options }) {
    const goal = await readGoal(options.for);
    const limitMs =
      options.timeout === undefined ? Number.POSITIVE_INFINITY : parseDuration(options.timeout, "--timeout");
    const end = await waitFor(connect(), { id, goal, limitMs });
    if (process.stderr.isTTY) process.stderr.write("\u0007");
    report(end, goal, options.json === true);
  },
});

/** How the waiting ended. */
interface End {
  readonly session: SessionDetailView;
  readonly outcome: Exclude<Verdict["kind"], "waiting"> | "timeout";
  readonly reason: string | null;
  /** What to do about it. */
  readonly act: string | null;
}

async function readGoal(written: string | undefined): Promise<Goal> {
  const goal = GOALS.find((known) => known === written);
  if (goal !== undefined) return goal;
  if (written === undefined) throw misuse("wait for what?", GOAL_HINT);
  throw misuse(`unknown state "${written}"`, (await didYouMean(written, GOALS)) ?? GOAL_HINT);
}

interface Wait {
  readonly id: string;
  readonly goal: Goal;
  readonly limitMs: number;
}

async function waitFor(client: Client, wait: Wait): Promise<End> {
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.min(wait.limitMs, MAX_TIMER_MS));
  let session: SessionDetailView | null = null;
  const untilEnd = async (): Promise<End> => {
    for await (const next of followSessionDetail(client, wait.id, over.signal)) {
      session = next;
      const end = toEnd(next, wait.goal);
      if (end !== null) return end;
    }
    const last = session ?? (await client.call("GET /api/sessions/:id", { params: { id: wait.id } }));
    return { session: last, outcome: "timeout", reason: `${last.status}, ${last.evidence}`, act: null };
  };
  try {
    return await withLiveProgress(untilEnd(), async () =>
      session === null ? "" : describeWaiting(session, wait.goal, elapsed()),
    );
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}

/** How waiting ends with the session in this state; null: keep waiting. */
function toEnd(session: SessionDetailView, goal: Goal): End | null {
  const verdict = judge(session, goal);
  switch (verdict.kind) {
    case "waiting":
      return null;
    case "reached":
      return { session, outcome: "reached", reason: null, act: null };
    case "failed":
      return { session, outcome: "failed", reason: verdict.reason, act: `ao status ${session.id}` };
    case "needs-you":
      return { session, outcome: "needs-you", reason: verdict.reason, act: verdict.act };
  }
}

/** The line that a person sees meanwhile. */
export function describeWaiting(
  session: Pick<SessionDetailView, "id" | "status" | "activity" | "evidence">,
  goal: Goal,
  elapsedMs: number,
): string {
  const doing = session.activity ?? session.evidence;
  const now = doing === "" || doing === session.status ? session.status : `${session.status}: ${doing}`;
  return `waiting for ${session.id} to ${goal === "pr" ? "open" : "be"} ${WORDS[goal]} (${formatAge(elapsedMs)}) · ${now}`;
}

function report(end: End, goal: Goal, json: boolean): void {
  const { session, outcome, reason } = end;
  if (outcome !== "reached") process.exitCode = outcome === "needs-you" ? NEEDS_YOU : 1;
  if (json) printJson({ ...session, outcome, reason });
  else if (outcome === "reached") print(`${session.id}: ${describeGoal(session, goal)}`);
  else write(process.stderr, formatError(explain(end, goal), end.act));
}

function explain({ session: { id }, outcome, reason }: End, goal: Goal): string {
  if (outcome === "needs-you") return `${id} needs you: ${reason}`;
  return outcome === "failed"
    ? `${id} will not be ${WORDS[goal]}: ${reason}`
    : `${id} is not ${WORDS[goal]} yet: ${reason}`;
}

// The requested state, or the new pull request.
function describeGoal(session: SessionDetailView, goal: Goal): string {
  if (goal !== "pr" && goal !== "merged") return session.agentStatus;
  const pull = session.pullRequests.find(({ phase }) => phase === "open") ?? session.pullRequests.at(-1);
  return pull === undefined ? session.status : `#${pull.number} ${pull.status}`;
}
