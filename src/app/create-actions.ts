import type { HealthView } from "../protocol/views/daemon.ts";
import type { Actions, EngineView } from "../server/actions.ts";
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
import { awaitWorkspace, createSteering } from "./actions/steer-session.ts";
import { AGENT_NAMES, AGENT_VARIABLES, findAgents } from "./find-agents.ts";
import { projectAround } from "./find-project.ts";
import type { Kernel } from "./kernel.ts";
import { waitUntil } from "./wait-until.ts";

/**
 * Everything the server can ask for, on one kernel, and the only way from a request to the engine: the server gets no
 * way to submit a command itself.
 */
export function createActions(
  kernel: Kernel,
  options: { readonly health: () => HealthView; readonly shutdown: Actions["shutdown"] },
): Actions {
  /** An action of this kernel. */
  const on =
    <A extends readonly unknown[], R>(action: (kernel: Kernel, ...rest: A) => R) =>
    (...rest: A): R =>
      action(kernel, ...rest);
  return {
    engine: viewOf(kernel),
    store: kernel.store,
    pullRequests: createPullRequestActions(kernel),
    ...options,
    ...createSteering(kernel),
    createSession: async (body, context) => {
      await adoptMachine(kernel);
      const created = await createSession(kernel, body, context);
      if (body.wait === true) await awaitWorkspace(kernel, created.sessionId);
      return created;
    },
    sendMessage: on(sendMessage),
    answer: on(answer),
    interrupt: on(interrupt),
    moveSession: on(moveSession),
    commit: on(commitSession),
    diff: on(diff),
    runFiles: { fs: kernel.host.fs, runDir: kernel.runDir },
    output: on(output),
    attach: on(attach),
    addProject: on(addProject),
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
    projectNotes: kernel.configs.notesOf,
    projectProblem: kernel.configs.problemOf,
    listIssues: on(listIssues),
    getIssue: on(getIssue),
    createIssue: on(createIssue),
    editIssue: on(editIssue),
    examine: on(examine),
    cleanup: on(cleanup),
  };
}

function viewOf({ engine }: Kernel): EngineView {
  return {
    world: engine.loop.world.view,
    lastPosition: engine.loop.lastPosition,
    subscribe: engine.subscribe,
    refresh: engine.refresh,
    waitUntil: (limitMs, isTrue) => waitUntil(engine, limitMs, isTrue),
  };
}
