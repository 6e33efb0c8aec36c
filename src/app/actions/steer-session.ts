import { AoError } from "../../core/errors.ts";
import type { SessionState } from "../../core/session/state.ts";
import type { Actions } from "../../server/actions.ts";
import { adoptConfigs } from "../adopt-configs.ts";
import { shellOf, takeKeys } from "../caller-environment.ts";
import { stopSession } from "../disk-reserve.ts";
import type { Kernel } from "../kernel.ts";
import { createUserName } from "../user-name.ts";
import { waitUntil } from "../wait-until.ts";
import { requireUnprotected } from "./require-own-branch.ts";

const PREPARE_LIMIT_MS = 15 * 60_000;
const STOP_LIMIT_MS = 2 * 60_000;

type Steering = Pick<Actions, "stopSession" | "restoreSession" | "removeProject" | "setPaused" | "steerTrain">;

/** Stop, restore, pause: what a person decides and the engine carries out. */
export function createSteering(kernel: Kernel): Steering {
  const { engine } = kernel;
  const userName = createUserName(kernel.host);
  return {
    stopSession: async (sessionId, { wait }, { key }) => {
      await stopSession(kernel, sessionId, { reason: "asked for", key });
      if (wait) await awaitStop(kernel, sessionId);
    },
    restoreSession: async (sessionId, { now = false, wait, env }, { key }) => {
      takeKeys(kernel, env);
      await adoptConfigs(kernel);
      const shell = env === undefined ? {} : { shell: shellOf(env) };
      await engine.refresh(sessionId);
      await requireUnprotected(kernel, sessionId);
      await engine.submit({ input: { type: "session.restore", sessionId, now, ...shell }, key });
      if (wait === true) await awaitWorkspace(kernel, sessionId);
    },
    removeProject: async (id, { key }) => {
      await engine.submit({ input: { type: "project.remove", id }, key });
    },
    setPaused: async (isPaused, projectId, { key }) => {
      await engine.submit({ input: { type: isPaused ? "fleet.pause" : "fleet.resume", projectId }, key });
    },
    steerTrain: async (projectId, { paused, move }, { key }) => {
      const by = await userName(engine.loop.world.view.project(projectId)?.path ?? kernel.paths.home);
      if (move !== undefined) await engine.submit({ input: { type: "train.move", projectId, by, ...move }, key });
      if (paused === undefined) return;
      await engine.submit({ input: { type: paused ? "train.pause" : "train.resume", projectId, by }, key });
    },
  };
}

// A session whose agent cannot be ended stays as it is until somebody asks again, so waiting longer is no use.
async function awaitStop({ engine }: Kernel, sessionId: string): Promise<void> {
  const session = (): SessionState | undefined => engine.loop.world.view.session(sessionId);
  const isStopped = (): boolean => (session()?.phase ?? "stopped") === "stopped";
  await waitUntil(engine, STOP_LIMIT_MS, () => isStopped() || hasGivenUp(session()));
  if (isStopped()) return;
  const { endFailures = 0, evidence = null } = session()?.run ?? {};
  const why = endFailures > 0 && evidence !== null ? `: ${evidence}` : ".";
  throw new AoError({
    code: "timeout",
    message: `${sessionId} is still stopping${why}`,
    hint: `\`ao status ${sessionId}\` shows how it is; \`ao stop ${sessionId}\` tries again.`,
  });
}

function hasGivenUp(session: SessionState | undefined): boolean {
  return session?.run.state === "alive" && session.run.endFailures >= session.run.endTries;
}

/**
 * Waits until a session's workspace is ready or failed, or the session is queued, so that the caller gets a definite
 * answer.
 */
export async function awaitWorkspace({ engine }: Pick<Kernel, "engine">, sessionId: string): Promise<void> {
  await waitUntil(engine, PREPARE_LIMIT_MS, () => isPrepared(engine.loop.world.view.session(sessionId)));
}

function isPrepared(session: SessionState | undefined): boolean {
  if (session === undefined || session.phase !== "open") return true;
  const { state } = session.workspace;
  return state !== "none" && state !== "creating";
}
