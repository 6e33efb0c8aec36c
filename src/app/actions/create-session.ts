import { randomUUID } from "node:crypto";
import type { ProjectConfig } from "../../config/config.ts";
import { AoError } from "../../core/errors.ts";
import { writeOutHidden } from "../../core/hidden-characters.ts";
import { limitNetwork } from "../../core/network-limit.ts";
import type { ProjectState } from "../../core/project/state.ts";
import { composeTask } from "../../core/prompt/task-text.ts";
import { markFrom } from "../../core/reaction/mark.ts";
import type { CallerShell } from "../../core/session/state.ts";
import { describeUntrustedIssue } from "../../core/task/issue-author.ts";
import type { CreateSessionBody } from "../../protocol/bodies/session.ts";
import { createGit } from "../../providers/git/git.ts";
import { readRef } from "../../providers/git/scm/read-head.ts";
import type { CreatedSession } from "../../server/actions.ts";
import type { CallContext } from "../../server/call-context.ts";
import { requireRules } from "../brief.ts";
import { shellOf, takeKeys } from "../caller-environment.ts";
import { findProject } from "../find-project.ts";
import type { Kernel } from "../kernel.ts";
import { readRepository } from "../repository-facts.ts";
import { findProblems, type Launch, requireLaunch } from "./choose-launch.ts";
import { claimPullRequest } from "./claim-pull-request.ts";
import { readIssue, type TaskIssue, toUse, withLink } from "./read-issue.ts";
import { requireAssignable } from "./require-assignable.ts";
import { requireOwnBranch } from "./require-own-branch.ts";
import { storeText } from "./store-text.ts";

/** Resolves project, agent and task, checks what it can, and requests the session from the engine. */
export async function createSession(
  kernel: Kernel,
  body: CreateSessionBody,
  context: CallContext,
): Promise<CreatedSession> {
  takeKeys(kernel, body.env);
  const shell = shellOf(body.env);
  const project = await findProject(kernel, body.projectId, body.cwd);
  await kernel.configs.requireAccepted(project);
  const config = await kernel.configs.configOf(project);
  await kernel.configs.requireVariables(project);
  const { issue, author, id, link } = await readIssue(kernel, project, config, body);
  if (body.branch !== undefined) await requireOwnBranch(kernel, project, body.branch);
  const [messageId, markSeed] = [`m-${randomUUID().slice(0, 13)}`, randomUUID()];
  const mark = markFrom(markSeed, messageId);
  const claim = await claimPullRequest(kernel, project, { ...body, mark });
  const title = body.title ?? readable(claim?.title ?? issue?.title ?? firstLine(body.prompt));
  if (title === null) {
    throw new AoError({
      code: "usage",
      message: "A session needs a title, an issue or a prompt.",
      hint: 'Try `ao new "Fix the login"`.',
    });
  }
  const launch = await requireLaunch(kernel, project, config, body);
  await preflight({ kernel, project, launch, config, shell });
  await requireRules(kernel.host, config);
  await requireAssignable(kernel, project, { config, shell, title, issue: id });
  const task = claim?.task ?? composeTask({ title, prompt: withLink(body.prompt ?? null, title, link), issue, mark });
  const prompt = await storeText(kernel.store, task);
  const result = await kernel.engine.submit({
    input: {
      type: "session.create",
      projectId: project.id,
      issue: id,
      title,
      role: "worker",
      agent: launch.agent,
      runtime: launch.runtime,
      workspace: toUse(config?.workspace ?? null, "worktree"),
      input: launch.input,
      branch: claim?.branch ?? body.branch ?? null,
      base: null,
      prompt: prompt.text,
      promptBytes: prompt.bytes,
      messageId,
      markSeed,
      now: body.now ?? false,
      shell,
      ...(author === null ? {} : { issueAuthor: author }),
      ...(claim === null ? {} : { pullRequest: claim.pullRequest }),
      ...(body.on === undefined ? {} : { on: body.on }),
    },
    key: context.key,
  });
  return { sessionId: String(result["sessionId"]), notes: notesOn({ project, launch }, { id, author, link }) };
}

// What the person who starts it should know.
function notesOn(
  { project, launch }: Pick<Preflight, "project" | "launch">,
  { id, author, link }: Pick<TaskIssue, "id" | "author" | "link">,
): readonly string[] {
  const trust = project.policy?.trust;
  const stranger = describeUntrustedIssue(id ?? "", author, { trust, limit: limitNetwork(launch.agent, trust) });
  const unknown = `The tracker of ${project.id} has no issue at ${link}; the agent gets the link as text.`;
  return [...(link === null ? [] : [unknown]), ...(stranger === null ? [] : [stranger])];
}

interface Preflight {
  readonly kernel: Kernel;
  readonly project: ProjectState;
  readonly launch: Launch;
  readonly config: ProjectConfig | undefined;
  readonly shell: CallerShell;
}

// Reports what would fail anyway now, in one sentence, before anything exists.
async function preflight({ kernel, project, launch, config, shell }: Preflight): Promise<void> {
  const [problem] = await findProblems({ host: kernel.host, shell }, launch, config);
  if (problem !== undefined) throw new AoError(problem);
  const tools = { host: kernel.host, git: createGit(kernel.host) };
  const head = await readRef(tools, project, `refs/heads/${project.defaultBranch}`).catch(() => null);
  // No process if all is well; only a failure is worth finding out what exactly is wrong.
  if (head === null) await readRepository(kernel.host, project.path, project.defaultBranch);
}

// Trackers and prompts may contain anything; a session's title is one line, with hidden characters made visible.
function readable(title: string | null): string | null {
  return title === null ? null : writeOutHidden(title).replace(/\s+/g, " ").trim();
}

function firstLine(prompt: string | undefined): string | null {
  const line = prompt?.split("\n").find((candidate) => candidate.trim() !== "");
  return line === undefined ? null : line.trim().slice(0, 80);
}
