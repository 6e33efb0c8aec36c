import { type Emitted, onChange, onProject, onSession } from "../event.ts";
import type { ProjectPolicy } from "../policy.ts";
import type { ProjectFacts } from "../project/state.ts";

/** Where made-up events happen: a session whose agent is idle, with an open pull request or without one. */
export interface Scene {
  readonly projectId: string;
  readonly sessionId: string;
  readonly changeKey: string;
  readonly head: string;
  readonly baseHead: string;
  /** The next attempt of a check. */
  readonly attempt: number;
  /** Turns that the agent has ended. */
  readonly turns: number;
  readonly policy: ProjectPolicy;
}

/** A scene with a session that does not exist. */
export function madeUpScene(projectId: string, policy: ProjectPolicy): Scene {
  return {
    projectId,
    sessionId: `${projectId}-made-up`,
    changeKey: `${projectId}/1`,
    head: "1a2b3c4d5e",
    baseHead: "8c1f02a9b7",
    attempt: 1,
    turns: 1,
    policy,
  };
}

const PLUGIN = { plugin: "made-up", config: {} };

/** The events that lead to a made-up scene. */
export function setUp(scene: Scene, project: ProjectFacts): readonly Emitted[] {
  const { projectId, sessionId, head, baseHead, policy } = scene;
  return [
    ...onProject(
      projectId,
      { type: "project.registered", ...project },
      { type: "project.policy-set", policy },
      { type: "project.base-moved", head: baseHead },
    ),
    ...onSession(
      sessionId,
      {
        type: "session.requested",
        id: sessionId,
        projectId,
        taskKey: `${projectId}/~${sessionId}`,
        issue: null,
        title: "Fix the login form",
        role: "worker",
        agent: PLUGIN,
        runtime: PLUGIN,
        workspace: PLUGIN,
        input: "inbox",
        branch: "agent/fix-the-login-form",
        base: null,
        folder: "fix-the-login-form",
      },
      { type: "session.admitted" },
      { type: "workspace.creating", generation: 1 },
      {
        type: "workspace.created",
        generation: 1,
        path: "/made-up",
        branch: "agent/fix-the-login-form",
        head: baseHead,
        baseCommit: baseHead,
        restoredFrom: null,
        notes: [],
      },
      { type: "run.starting", run: 1, messageId: null },
      { type: "run.started", run: 1, pid: 1 },
      { type: "agent.finished", summary: "Done." },
      { type: "branch.seen", turn: 1, head, ahead: 1, uncommitted: null },
    ),
  ];
}

/** The pull request of a made-up scene. */
export function openPullRequest({ projectId, sessionId, changeKey, head, policy }: Scene): readonly Emitted[] {
  const isRemote = policy.scm.plugin !== "local";
  return onChange(
    changeKey,
    {
      type: "change.opened",
      projectId,
      number: 1,
      sessionId,
      issue: null,
      title: "Fix the login form",
      body: null,
      branch: "agent/fix-the-login-form",
      base: "main",
      head,
      by: "ao",
      ...(isRemote ? { isRemote } : {}),
    },
    ...(isRemote
      ? [{ type: "change.observed", version: "1", head, required: [], blocked: null, isChecked: true } as const]
      : []),
  );
}
