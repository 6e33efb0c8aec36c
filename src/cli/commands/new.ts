import { resolve } from "node:path";
import { AoError } from "../../core/errors.ts";
import type { CreateSessionBody } from "../../protocol/api.ts";
import type { SessionDetailView } from "../../protocol/view.ts";
import { type Client, connect } from "../client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { formatError } from "../failure.ts";
import { type PlannedSession, planSessions, titleOf } from "../plan-sessions.ts";
import { print, printJson, withProgress } from "../print.ts";
import { readText } from "../read-text.ts";
import { misuse } from "../usage.ts";

export const command = defineCommand({
  name: "new",
  summary: "start a session for a new task or for issues",
  usage: ['"TITLE" [--issue N] [options]', "ISSUE ... [options]"],
  arguments: [{ name: "TITLE | ISSUE", summary: "what to do, or the issues to work on", optional: true, many: true }],
  options: {
    project: PROJECT_OPTION,
    issue: { type: "string", short: "i", value: "N", multiple: true, summary: "the issue to work on" },
    agent: { type: "string", value: "NAME", summary: "the agent, instead of the project's" },
    runtime: { type: "string", value: "NAME", summary: "tmux or process, instead of the project's" },
    branch: { type: "string", short: "b", value: "NAME", summary: "the branch to work on" },
    "prompt-file": { type: "string", value: "FILE", summary: "the whole text for the agent (- is stdin)" },
    now: { type: "boolean", summary: "start even over the limit of parallel agents" },
    json: JSON_OPTION,
  },
  examples: ['ao new "Fix login validation" --project my-app --issue 123', "ao spawn 41 42 43"],
  details: "Also called spawn and batch-spawn. Several issues are started side by side, one session for each.",
  async run({ args, options }) {
    const prompt = options["prompt-file"] === undefined ? undefined : await readText(options["prompt-file"]);
    const planned = plan(args, options.issue ?? [], prompt);
    if (planned.length > 1 && options.branch !== undefined) {
      throw misuse(
        "--branch names one branch, and there are several sessions",
        "Start them one by one, or leave it out.",
      );
    }
    const shared: CreateSessionBody = {
      ...(options.project === undefined ? {} : { projectId: options.project }),
      ...(prompt === undefined ? {} : { prompt }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
      ...(options.branch === undefined ? {} : { branch: options.branch }),
      ...(options.now === true ? { now: true } : {}),
      wait: true,
      cwd: resolve("."),
      env: callerEnvironment(),
    };
    const created = createAll(connect(), planned, shared);
    report(await withProgress("preparing the workspace", created), options.json === true);
  },
});

function plan(
  words: readonly string[],
  issues: readonly string[],
  prompt: string | undefined,
): readonly PlannedSession[] {
  const planned = words.length === 0 && issues.length === 0 ? [] : planSessions(words, issues);
  if (planned.length > 0) return planned;
  const title = prompt === undefined ? "" : titleOf(prompt);
  if (title === "")
    throw misuse('"ao new" needs a title or an issue', 'ao new "Fix the login form", or ao new --issue 42');
  return [{ title }];
}

/** What agents need from the calling shell, which the daemon may not have. */
function callerEnvironment(): Record<string, string> {
  const names = ["PATH", "SSH_AUTH_SOCK"];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

type Created = PromiseSettledResult<SessionDetailView>;

function createAll(
  client: Client,
  planned: readonly PlannedSession[],
  shared: CreateSessionBody,
): Promise<readonly Created[]> {
  return Promise.allSettled(planned.map((one) => client.call("POST /api/sessions", { input: { ...shared, ...one } })));
}

function report(results: readonly Created[], json: boolean): void {
  const sessions = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const failures = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  const [only] = sessions;
  if (json && results.length > 1) printJson({ data: sessions });
  else if (json && only !== undefined) printJson(only);
  else for (const session of sessions) print(describeNew(session));
  const [first] = failures;
  if (failures.length === 1 && results.length === 1) throw first;
  for (const failure of failures) {
    if (!(failure instanceof AoError)) throw failure;
    process.stderr.write(formatError(failure.message, failure.hint));
  }
  const broken = sessions.filter((session) => session.status === "failed");
  const bad = failures.length + broken.length;
  if (bad === 0) return;
  const message = results.length === 1 ? (broken[0]?.evidence ?? "") : `${bad} of ${results.length} did not start`;
  const hint = broken.length === 0 ? undefined : "`ao inbox` tells what each needs.";
  throw new AoError({ code: "session-state", message, hint });
}

function describeNew(session: SessionDetailView): string {
  const lines = [session.id, `  branch  ${session.branch}`];
  if (session.workspacePath !== null) lines.push(`  path    ${session.workspacePath}`);
  lines.push(...session.workspace.notes.map((text) => `  note    ${text}`));
  if (session.status === "queued" || session.status === "paused") {
    lines.push(`  ${session.evidence.startsWith(session.status) ? "" : `${session.status}: `}${session.evidence}`);
  } else if (session.status !== "failed") {
    lines.push(`  attach  ao attach ${session.id}`);
  }
  return lines.join("\n");
}
