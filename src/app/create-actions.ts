import type { HealthView } from "../protocol/view.ts";
import type { Actions } from "../server/actions.ts";
import { addProject, adoptMachine } from "./actions/add-project.ts";
import { cleanup } from "./actions/cleanup.ts";
import { commitSession } from "./actions/commit.ts";
import { createSession } from "./actions/create-session.ts";
import { examine } from "./actions/examine.ts";
import { createIssue, editIssue, getIssue, listIssues } from "./actions/issue.ts";
import { attach, diff, output } from "./actions/look.ts";
import { answer, interrupt, sendMessage } from "./actions/message.ts";
import { moveSession } from "./actions/move-session.ts";
import { createPullRequestActions } from "./actions/pull-request.ts";
import { AGENT_NAMES, AGENT_VARIABLES, findAgents } from "./find-agents.ts";
import { projectAround } from "./find-project.ts";
import type { Kernel } from "./kernel.ts";

/** Everything the server can ask for, on one kernel. */
export function createActions(
  kernel: Kernel,
  options: { readonly health: () => HealthView; readonly shutdown: Actions["shutdown"] },
): Actions {
  return {
    engine: kernel.engine,
    store: kernel.store,
    pullRequests: createPullRequestActions(kernel),
    health: options.health,
    shutdown: options.shutdown,
    createSession: async (body, context) => {
      await adoptMachine(kernel);
      return createSession(kernel, body, context);
    },
    sendMessage: (sessionId, content, context) => sendMessage(kernel, sessionId, content, context),
    answer: (sessionId, given, context) => answer(kernel, sessionId, given, context),
    interrupt: (sessionId, context) => interrupt(kernel, sessionId, context),
    moveSession: (sessionId, runtime, context) => moveSession(kernel, sessionId, runtime, context),
    commit: (sessionId, request) => commitSession(kernel, sessionId, request),
    diff: (sessionId) => diff(kernel, sessionId),
    runFiles: { fs: kernel.host.fs, runDir: kernel.runDir },
    output: (sessionId, cursor) => output(kernel, sessionId, cursor),
    attach: (sessionId) => attach(kernel, sessionId),
    addProject: (body, context) => addProject(kernel, body, context),
    findAgents: async (path) => ({
      found: await findAgents(kernel.host, path ?? kernel.host.env["PATH"]),
      known: AGENT_NAMES,
      variables: AGENT_VARIABLES,
    }),
    machineFile: () => kernel.configs.machineFile(kernel.engine.loop.world.view.projects()),
    projectHere: async (cwd) => {
      const { project, repository } = await projectAround(kernel, cwd);
      return { projectId: project?.id ?? null, repository };
    },
    projectNotes: (projectId) => kernel.configs.notesOf(projectId),
    projectProblem: (projectId) => kernel.configs.problemOf(projectId),
    listIssues: (projectId, state) => listIssues(kernel, projectId, state),
    getIssue: (projectId, issue) => getIssue(kernel, projectId, issue),
    createIssue: (projectId, body) => createIssue(kernel, projectId, body),
    editIssue: (projectId, issue, body) => editIssue(kernel, projectId, issue, body),
    examine: (path) => examine(kernel, path),
    cleanup: (cleanupOptions) => cleanup(kernel, cleanupOptions),
  };
}
