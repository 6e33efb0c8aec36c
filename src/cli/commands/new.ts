import { resolve } from "node:path";
import type { CreateSessionBody } from "../../protocol/bodies/session.ts";
import { PERMISSION_LEVELS, type PermissionLevel } from "../../protocol/choices.ts";
import { readText } from "../args/read-text.ts";
import { didYouMean, misuse } from "../args/usage-error.ts";
import { callerEnvironment } from "../client/caller-environment.ts";
import { connect } from "../client/client.ts";
import { defineCommand, JSON_OPTION, PROJECT_OPTION } from "../command.ts";
import { note, withProgress } from "../views/print.ts";
import { hasTerminal } from "./attach/open-terminal.ts";
import { chooseProject } from "./new/choose-project.ts";
import { reportNew } from "./new/new-report.ts";
import { type PlannedSession, planMessages, planSessions, repeat } from "./new/plan-sessions.ts";

export const command = defineCommand({
  name: "new",
  summary: "start a session for a new task or for issues",
  usage: ['["TITLE"] [-m TEXT ...] [--issue N] [options]', "ISSUE ... [options]"],
  arguments: [{ name: "TITLE | ISSUE", summary: "what to do, or the issues to work on", optional: true, many: true }],
  options: {
    message: {
      type: "string",
      short: "m",
      value: "TEXT",
      multiple: true,
      summary: "more for the agent; one paragraph each",
    },
    "prompt-file": { type: "string", value: "FILE", summary: "the whole text for the agent (- is stdin)" },
    issue: { type: "string", short: "i", value: "N", multiple: true, summary: "the issue to work on" },
    project: PROJECT_OPTION,
    agent: { type: "string", value: "NAME", summary: "the agent, instead of the project's" },
    model: { type: "string", value: "NAME", summary: "the model, instead of the project's" },
    permissions: { type: "string", value: "LEVEL", summary: "ask, edits or all, instead of the project's" },
    runtime: { type: "string", value: "NAME", summary: "tmux or process, instead of the project's" },
    branch: { type: "string", short: "b", value: "NAME", summary: "the branch to work on, other than the default one" },
    on: { type: "string", value: "SESSION|#PR", summary: "build on the unmerged branch of a session or pull request" },
    count: { type: "string", short: "n", value: "N", summary: "start the same task N times, each on its own branch" },
    now: { type: "boolean", summary: "start even if all slots are taken or an issue it depends on is open" },
    attach: { type: "boolean", summary: "attach to it once it has started" },
    json: JSON_OPTION,
  },
  examples: [
    'ao new "Fix login validation" -m "An empty password must be refused."',
    "ao spawn 41 42 43",
    'ao new "Speed up the search" --count 3 --model opus',
    'ao new "Show the new field" --on my-app-fix-login',
  ],
  details:
    "Without a title it opens your editor (VISUAL, EDITOR, or git's): the first line is the title, the rest goes to the agent.\n" +
    "Also called spawn and batch-spawn. Several issues start side by side, one session each.",
  async run({ args, options }) {
    const permissions = await readPermissions(options.permissions);
    const count = readCount(options.count);
    const task = await planTask(args, options);
    const planned = repeat(task.planned, count);
    if (planned.length > 1) refuseForSeveral(options);
    if (options.attach === true && options.json === true) throw misuse("--attach and --json together", "Choose one.");
    const client = connect();
    const projectId = await chooseProject(client, options.project);
    const shared: CreateSessionBody = {
      ...(projectId === undefined ? {} : { projectId }),
      ...(options.agent === undefined ? {} : { agent: options.agent }),
      ...(options.model === undefined ? {} : { model: options.model }),
      ...(permissions === undefined ? {} : { permissions }),
      ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
      ...(options.branch === undefined ? {} : { branch: options.branch }),
      ...(options.on === undefined ? {} : { on: options.on }),
      ...(options.now === true ? { now: true } : {}),
      wait: true,
      cwd: resolve("."),
      env: await callerEnvironment(client),
    };
    const created = Promise.allSettled(
      planned.map((one) => client.call("POST /api/sessions", { input: { ...shared, ...one } })),
    );
    const results = await withProgress("creating the worktree", created);
    await task.done(results.some(({ status }) => status === "fulfilled"));
    const [first] = reportNew(results, options.json === true);
    if (options.attach === true && first !== undefined) await attach(first.id);
  },
});

interface TaskOptions {
  readonly issue?: readonly string[] | undefined;
  readonly message?: readonly string[] | undefined;
  readonly "prompt-file"?: string | undefined;
}

interface Task {
  readonly planned: readonly PlannedSession[];
  /** Called when it has started or failed. */
  done(hasStarted: boolean): Promise<void>;
}

async function planTask(words: readonly string[], options: TaskOptions): Promise<Task> {
  const { issue: issues = [], message: messages = [], "prompt-file": file } = options;
  const planned = (all: readonly PlannedSession[]): Task => ({ planned: all, done: async () => undefined });
  if (file !== undefined) {
    if (messages.length > 0) throw misuse("--message and --prompt-file together", "Give one of them.");
    return planned(planSessions(words, issues, await readText(file)));
  }
  if (words.length > 0 || issues.length > 0 || messages.length > 0) {
    return planned(planMessages(words, issues, messages));
  }
  if (!hasTerminal())
    throw misuse('"ao new" needs a title or an issue', 'ao new "Fix the login form", or ao new --issue 42');
  return writeInEditor();
}

async function writeInEditor(): Promise<Task> {
  const { dropTask, writeTask } = await import("./shell/editor.ts");
  const { title, body, file } = await writeTask();
  return {
    planned: planMessages([title], [], body === "" ? [] : [body]),
    done: async (hasStarted) => (hasStarted ? dropTask(file) : note(`Your text is kept in ${file}`)),
  };
}

function refuseForSeveral(options: {
  readonly branch?: string | undefined;
  readonly attach?: boolean | undefined;
}): void {
  if (options.branch !== undefined)
    throw misuse("--branch with several sessions", "Start them one by one, or leave it out.");
  if (options.attach === true)
    throw misuse("--attach with several sessions", "Attach to one afterwards: ao attach SESSION");
}

async function readPermissions(written: string | undefined): Promise<PermissionLevel | undefined> {
  const level = PERMISSION_LEVELS.find((known) => known === written);
  if (written === undefined || level !== undefined) return level;
  const hint = (await didYouMean(written, PERMISSION_LEVELS)) ?? "--permissions ask, edits or all";
  throw misuse(`unknown permissions "${written}"`, hint);
}

function readCount(written: string | undefined): number {
  if (written === undefined) return 1;
  const count = /^\d{1,2}$/.test(written) ? Number(written) : 0;
  if (count === 0) throw misuse(`--count is not a number from 1 to 99: ${written}`, "ao new TITLE --count 3");
  return count;
}

async function attach(id: string): Promise<void> {
  const { command: attachCommand } = await import("./attach.ts");
  await attachCommand.run?.({ args: [id], rest: [], options: {} });
}
