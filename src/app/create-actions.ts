import type { HealthView } from "../protocol/views/daemon.ts";
import type { Actions, EngineView } from "../server/actions.ts";
import { addProject } from "./actions/add-project.ts";
import { commitSession } from "./actions/commit.ts";
import { createSession } from "./actions/create-session.ts";
import { answer, interrupt, sendMessage } from "./actions/message.ts";
import { moveSession } from "./actions/move-session.ts";
import { createPullRequestActions } from "./actions/pull-request.ts";
import { createPuttingAway } from "./actions/put-away.ts";
import { output, outputOf } from "./actions/read-output.ts";
import { rulesOfEdit } from "./actions/rules-of-edit.ts";
import { rulesOfText } from "./actions/rules-of-text.ts";
import { awaitWorkspace, createSteering } from "./actions/steer-session.ts";
import { adoptConfigs } from "./adopt-configs.ts";
import type { Kernel } from "./kernel.ts";
import { waitUntil } from "./wait-until.ts";
import { findWarnings } from "./warnings.ts";

/**
 * Everything the server can request, for one kernel, and the only path from a request to the engine: the server cannot
 * submit a command itself.
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
    ...createPuttingAway(kernel),
    createSession: async (body, context) => {
      // The files may have changed a moment ago, before a watch noticed.
      await adoptConfigs(kernel);
      const created = await createSession(kernel, body, context);
      if (body.wait === true) await awaitWorkspace(kernel, created.sessionId);
      return created;
    },
    sendMessage: on(sendMessage),
    answer: on(answer),
    interrupt: on(interrupt),
    moveSession: on(moveSession),
    commit: on(commitSession),
    readOutput: on(output),
    runFiles: { fs: kernel.host.fs, runDir: kernel.runDir, output: (id) => outputOf(kernel, id) },
    addProject: on(addProject),
    rulesOfText: (text) => rulesOfText(kernel, text),
    rulesOfEdit: (edit) => rulesOfEdit(kernel, edit),
    projectNotes: kernel.configs.notesOf,
    projectProblem: kernel.configs.problemOf,
  };
}

function viewOf(kernel: Kernel): EngineView {
  const { engine } = kernel;
  return {
    warnings: () => findWarnings(kernel).map(({ text }) => text),
    world: engine.loop.world.view,
    lastPosition: engine.loop.lastPosition,
    revision: engine.loop.world.revision,
    subscribe: engine.subscribe,
    onReport: engine.loop.world.onReport,
    refresh: engine.refresh,
    waitUntil: (limitMs, isTrue) => waitUntil(engine, limitMs, isTrue),
  };
}
