import { setTimeout as pause } from "node:timers/promises";
import { AoError } from "../../core/errors.ts";
import type { SessionDetailView } from "../../protocol/view.ts";
import { connect } from "../client.ts";
import { defineCommand, JSON_OPTION } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { note, print, printJson } from "../print.ts";
import { didYouMean, misuse } from "../usage.ts";

const POLL_MS = 200;
const GOALS = ["idle", "exited", "stopped"] as const;
const LATER_GOALS = ["pr", "merged"];

type Goal = (typeof GOALS)[number];

export const command = defineCommand({
  name: "wait",
  summary: "wait until a session is idle, exited or stopped; for scripts",
  usage: ["SESSION --for idle|exited|stopped [--timeout 10m] [--json]"],
  arguments: [{ name: "SESSION", summary: "id, a beginning of it, or an issue number" }],
  options: {
    for: { type: "string", value: "STATE", summary: "idle, exited or stopped" },
    timeout: { type: "string", value: "TIME", summary: "give up after 30s, 5m, 1h (exit code 1)" },
    json: JSON_OPTION,
  },
  examples: ["ao wait my-app-fix-login --for idle --timeout 30m && ao diff my-app-fix-login"],
  details: "Fails at once when the session can no longer get there, for example because it failed.",
  async run({ args: [id = ""], options }) {
    const goal = await readGoal(options.for);
    const limitMs = options.timeout === undefined ? null : parseDuration(options.timeout, "--timeout");
    const session = await waitFor(id, goal, limitMs);
    if (options.json === true) printJson(session);
    else print(`${session.id}: ${session.status}`);
  },
});

async function readGoal(written: string | undefined): Promise<Goal> {
  const goal = GOALS.find((known) => known === written);
  if (goal !== undefined) return goal;
  if (written === undefined) throw misuse("wait for what?", "--for idle, exited or stopped");
  if (LATER_GOALS.includes(written)) {
    throw new AoError({ code: "unsupported", message: `--for ${written} is not in effect yet` });
  }
  throw misuse(`unknown state "${written}"`, (await didYouMean(written, GOALS)) ?? "--for idle, exited or stopped");
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
      const message = `${id} will not be ${goal}: ${session.status}, ${session.evidence}`;
      throw new AoError({ code: "session-state", message, hint: `ao status ${id}` });
    }
    if (session.question !== null && !hasAsked) {
      hasAsked = true;
      note(`${id} asks a question; ao answer ${id}`);
    }
    if (limitMs !== null && performance.now() - startedAt >= limitMs) {
      const message = `${id} is not ${goal} yet: ${session.status}, ${session.evidence}`;
      throw new AoError({ code: "timeout", message });
    }
    await pause(POLL_MS);
  }
}

/** Whether a session is where the caller wants it, may still get there, or cannot. */
export function judge(
  session: Pick<SessionDetailView, "status" | "messages">,
  goal: Goal,
): "reached" | "waiting" | "impossible" {
  const { status } = session;
  if (goal === "stopped") return status === "stopped" ? "reached" : "waiting";
  if (goal === "exited") return status === "exited" || status === "stopped" ? "reached" : "waiting";
  if (["stopped", "stopping", "exited", "errored", "failed", "workspace-missing"].includes(status)) return "impossible";
  // An agent that has yet to read its mail is idle only for the moment.
  const hasMail = session.messages.some(({ delivery }) => delivery === "queued" || delivery === "sending");
  return status === "idle" && !hasMail ? "reached" : "waiting";
}
