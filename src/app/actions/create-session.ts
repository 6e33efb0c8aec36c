import { randomUUID } from "node:crypto";
import { sep } from "node:path";
import type { ProjectConfig } from "../../config/config.ts";
import { AoError } from "../../core/errors.ts";
import type { ProjectState } from "../../core/project/state.ts";
import { composeTask } from "../../core/prompt/task-text.ts";
import type { CreateSessionBody } from "../../protocol/api.ts";
import type { CallContext, CreatedSession } from "../../server/actions.ts";
import { requireRules } from "../brief.ts";
import type { Kernel } from "../kernel.ts";
import { readRepository } from "../repository-facts.ts";
import { chooseLaunch, findProblems, type Launch } from "./choose-launch.ts";
import { readIssue, toUse, withLink } from "./read-issue.ts";
import { storeText } from "./store-text.ts";

/** Variables that a caller's shell may refresh for later sessions. */
const REFRESHABLE = new Set(["PATH", "SSH_AUTH_SOCK", "LANG", "TERM"]);

/** Resolves project, agent and task, checks what can be checked, and asks the engine for the session. */
export async function createSession(
  kernel: Kernel,
  body: CreateSessionBody,
  context: CallContext,
): Promise<CreatedSession> {
  for (const [name, value] of Object.entries(body.env ?? {}))
    if (REFRESHABLE.has(name)) kernel.refreshed.set(name, value);
  const project = await findProject(kernel, body.projectId, body.cwd);
  const config = await kernel.desk.configOf(project);
  await kernel.desk.requireVariables(project);
  const { issue, id, link } = await readIssue(kernel, project, config, body);
  const title = body.title ?? issue?.title ?? firstLine(body.prompt);
  if (title === null) {
    throw new AoError({
      code: "usage",
      message: "A session needs a title, an issue or a prompt.",
      hint: 'Try `ao new "Fix the login"`.',
    });
  }
  const launch = chooseLaunch(kernel, project, config, body);
  await preflight(kernel, project, launch, config);
  await requireRules(kernel.host, config);
  const task = composeTask({ title, prompt: withLink(body.prompt ?? null, title, link), issue });
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
      branch: body.branch ?? null,
      base: null,
      prompt: prompt.text,
      promptBytes: prompt.bytes,
      messageId: `m-${randomUUID().slice(0, 13)}`,
      now: body.now ?? false,
    },
    key: context.key,
  });
  const notes =
    link === null ? [] : [`The tracker of ${project.id} has no issue at ${link}; the agent gets the link as text.`];
  return { sessionId: String(result["sessionId"]), notes };
}

/** The project by id, or the one whose folder the caller stands in, or the only one. */
export async function findProject(
  kernel: Kernel,
  id: string | undefined,
  cwd: string | undefined,
): Promise<ProjectState> {
  const projects = [...kernel.engine.loop.world.view.projects()].filter((project) => !project.removed);
  if (id !== undefined) {
    const named = projects.find((project) => project.id === id) ?? projects.find((project) => project.name === id);
    if (named !== undefined) return named;
    throw new AoError({
      code: "project-unknown",
      message: `There is no project "${id}".`,
      hint: "`ao projects` lists them; `ao add-project PATH` adds one.",
    });
  }
  if (cwd !== undefined) {
    const real = (await kernel.host.fs.realPath(cwd)) ?? cwd;
    const here = projects
      .filter((project) => real === project.path || real.startsWith(project.path + sep))
      .sort((a, b) => b.path.length - a.path.length)[0];
    if (here !== undefined) return here;
  }
  const [only] = projects;
  if (projects.length === 1 && only !== undefined) return only;
  throw new AoError({
    code: "project-unknown",
    message: projects.length === 0 ? "No project is registered." : "It is not clear which project is meant.",
    hint:
      projects.length === 0
        ? "Run `ao start` in a repository."
        : `Name one with --project: ${projects.map((project) => project.id).join(", ")}.`,
  });
}

// What would fail anyway is said now, in one sentence, before anything exists.
async function preflight(
  kernel: Kernel,
  project: ProjectState,
  launch: Launch,
  config: ProjectConfig | undefined,
): Promise<void> {
  const [problem] = await findProblems(kernel, launch, config);
  if (problem !== undefined) throw new AoError(problem);
  const branch = await kernel.host.exec({
    program: "git",
    args: ["rev-parse", "--verify", "--quiet", `refs/heads/${project.defaultBranch}^{commit}`],
    cwd: project.path,
    okCodes: [0, 1, 128],
  });
  // One process when all is well; only then is it worth finding out what exactly is wrong.
  if (branch.code !== 0) await readRepository(kernel.host, project.path, project.defaultBranch);
}

function firstLine(prompt: string | undefined): string | null {
  const line = prompt?.split("\n").find((candidate) => candidate.trim() !== "");
  return line === undefined ? null : line.trim().slice(0, 80);
}
