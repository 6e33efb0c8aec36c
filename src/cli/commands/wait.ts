import { setTimeout as pause } from "node:timers/promises";
import { AoError } from "../../core/errors.ts";
import type { SessionDetailView } from "../../protocol/view.ts";
import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION, SESSION_ARGUMENT } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { note, print, printJson } from "../print.ts";
import { didYouMean, misuse } from "../usage.ts";

const POLL_MS = 200;
const GOALS = ["idle", "pr", "merged", "exited", "stopped"] as const;
const GOAL_HINT = "--for idle, pr, merged, exited or stopped";
/** What an agent's session cannot come back from by itself. */
const OVER = ["stopped", "stopping", "errored", "failed", "workspace-missing"];

type Goal = (typeof GOALS)[number];
const WORDS: Readonly<Record<Goal, string>> = {
  idle: "idle",
  pr: "a pull request",
  merged: "merged",
  exited: "exited",
  stopped: "stopped",
};

export const command = defineCommand({
  name: "wait",
  summary: "wait until a session is idle, has a pull request, or is merged; for scripts",
  usage: ["[SESSION] --for idle|pr|merged|exited|stopped [--timeout 10m] [--json]"],
  arguments: [SESSION_ARGUMENT],
  options: {
    for: { type: "string", value: "STATE", summary: "idle, pr, merged, exited or stopped" },
    timeout: { type: "string", value: "TIME", summary: "give up after 30s, 5m, 1h (exit code 1)" },
    json: JSON_OPTION,
  },
  examples: ["ao wait my-app-fix-login --for pr --timeout 30m && ao review my-app-fix-login"],
  details:
    "idle: the agent has ended its turn. pr: a pull request is open or merged. Fails at once when the session can no longer\n" +
    "get there, for example because it failed.",
  async run({ args: [id = ""], options }) {
    const goal = await readGoal(options.for);
    const limitMs = options.timeout === undefined ? null : parseDuration(options.timeout, "--timeout");
    const session = await waitFor(id, goal, limitMs);
    if (options.json === true) printJson(session);
    else print(`${session.id}: ${describe(session, goal)}`);
  },
});

async function readGoal(written: string | undefined): Promise<Goal> {
  const goal = GOALS.find((known) => known === written);
  if (goal !== undefined) return goal;
  if (written === undefined) throw misuse("wait for what?", GOAL_HINT);
  throw misuse(`unknown state "${written}"`, (await didYouMean(written, GOALS)) ?? GOAL_HINT);
}

async function waitFor(written: string, goal: Goal, limitMs: number | null): Promise<SessionDetailView> {
  const client = connect();
  const startedAt = performance.now();
  let id = written;
  let hasAsked = false;
  while (true) {
    const session = await client.call("GET /api/sessions/:id", { params: { id } });
    // From here on the full name: a shorter one may become ambiguous.
    id = session.id;
    const verdict = judge(session, goal);
    if (verdict === "reached") return session;
    if (verdict === "impossible") {
      const message = `${id} will not be ${WORDS[goal]}: ${session.status}, ${session.evidence}`;
      throw new AoError({ code: "session-state", message, hint: `ao status ${id}` });
    }
    if (session.question !== null && !hasAsked) {
      hasAsked = true;
      note(`${id} asks a question; ao answer ${id}`);
    }
    if (limitMs !== null && performance.now() - startedAt >= limitMs) {
      const message = `${id} is not ${WORDS[goal]} yet: ${session.status}, ${session.evidence}`;
      throw new AoError({ code: "timeout", message });
    }
    await pause(POLL_MS);
  }
}

type Judged = Pick<SessionDetailView, "agentStatus" | "state" | "messages"> & {
  readonly pullRequests: readonly Pick<SessionDetailView["pullRequests"][number], "phase">[];
};

/** Whether a session is where the caller wants it, may still get there, or cannot. */
export function judge(session: Judged, goal: Goal): "reached" | "waiting" | "impossible" {
  const { agentStatus: status } = session;
  if (goal === "pr" || goal === "merged") return judgePull(session, goal);
  if (goal === "stopped") return status === "stopped" ? "reached" : "waiting";
  if (goal === "exited") return status === "exited" || status === "stopped" ? "reached" : "waiting";
  if (OVER.includes(status) || status === "exited") return "impossible";
  // An agent that has yet to read its mail is idle only for the moment.
  const hasMail = session.messages.some(({ delivery }) => delivery === "queued" || delivery === "sending");
  return status === "idle" && !hasMail ? "reached" : "waiting";
}

function judgePull(session: Judged, goal: "pr" | "merged"): "reached" | "waiting" | "impossible" {
  const has = (phase: string): boolean => session.pullRequests.some((pull) => pull.phase === phase);
  if (has("merged") || (goal === "pr" && has("open"))) return "reached";
  // One that is open can be merged without its agent.
  if (has("open")) return "waiting";
  const isOver = OVER.includes(session.agentStatus) || (session.agentStatus === "exited" && session.state === "error");
  return isOver ? "impossible" : "waiting";
}

// The word that was waited for, or the pull request that came.
function describe(session: SessionDetailView, goal: Goal): string {
  if (goal !== "pr" && goal !== "merged") return session.agentStatus;
  const pull = session.pullRequests.find(({ phase }) => phase === "open") ?? session.pullRequests.at(-1);
  return pull === undefined ? session.status : `#${pull.number} ${pull.status}`;
}
