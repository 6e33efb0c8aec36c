import type { ProjectState } from "../core/project/state.ts";
import type { Message, SessionState } from "../core/session/state.ts";
import { deriveInbox, deriveStatus } from "../core/session/status.ts";
import { deriveWaitReason } from "../core/session/wait-reason.ts";
import { isPaused, type World } from "../core/world.ts";
import type { InboxView, MessageView, ProjectView, SessionDetailView, SessionView } from "../protocol/view.ts";

/** A session as lists show it. */
export function toSessionView(session: SessionState, world: World): SessionView {
  const now = deriveStatus(session, { paused: isPaused(world, session.projectId) });
  return {
    id: session.id,
    projectId: session.projectId,
    title: session.title,
    issue: session.issue,
    role: session.role,
    status: now.status,
    state: now.state,
    evidence: now.evidence,
    agent: session.agent.plugin,
    runtime: session.runtime.plugin,
    branch: session.branch,
    workspacePath: session.workspace.path,
    pullRequests: [],
    cost: session.usage,
    createdAt: toTime(session.createdAt),
    updatedAt: toTime(session.updatedAt),
  };
}

/** A session with all that is known of it. */
export function toSessionDetail(session: SessionState, world: World): SessionDetailView {
  const { run, workspace, question } = session;
  return {
    ...toSessionView(session, world),
    summary: session.summary,
    question: question === null ? null : { id: question.id, question: question.question, choices: question.choices },
    messages: session.messages.map((message) => toMessageView(message, session, world)),
    run: { n: run.n, state: run.state, pid: run.pid, evidence: run.evidence },
    workspace: {
      state: workspace.state,
      reason: workspace.reason,
      preservedRef: workspace.preservedRef,
      notes: workspace.notes,
    },
    baseCommit: workspace.baseCommit,
  };
}

const DELIVERY: Readonly<Record<Message["status"], MessageView["delivery"]>> = {
  queued: "queued",
  started: "sending",
  written: "unconfirmed",
  accepted: "delivered",
  unknown: "unknown",
  failed: "failed",
  withdrawn: "withdrawn",
};

/** A message, where it is, and what it waits for. */
export function toMessageView(message: Message, session: SessionState, world: World): MessageView {
  const wait = deriveWaitReason(session, message, { paused: isPaused(world, session.projectId) });
  return {
    id: message.id,
    kind: message.kind,
    delivery: DELIVERY[message.status],
    attempt: message.attempt,
    bytes: message.bytes,
    reason: wait?.text ?? message.reason,
    at: toTime(message.at),
  };
}

/** A project with the number of its open sessions. */
export function toProjectView(project: ProjectState, world: World, notes: readonly string[]): ProjectView {
  let sessions = 0;
  for (const session of world.sessions())
    if (session.projectId === project.id && session.phase !== "stopped") sessions += 1;
  return {
    id: project.id,
    name: project.name,
    path: project.path,
    repo: project.repo,
    defaultBranch: project.defaultBranch,
    sessionPrefix: project.sessionPrefix,
    configFile: project.configFile,
    paused: project.paused,
    sessions,
    notes,
  };
}

/** Everything that waits for a person, oldest first; before it, projects whose configuration file is bad. */
export function listInbox(world: World, problemOf: (projectId: string) => string | null): readonly InboxView[] {
  const bad = [...world.projects()].flatMap((project) => {
    const problem = project.removed ? null : problemOf(project.id);
    return problem === null ? [] : [toConfigItem(project, problem)];
  });
  const items = [...world.sessions()]
    .flatMap((session) => deriveInbox(session, { paused: isPaused(world, session.projectId) }))
    .sort((a, b) => a.at - b.at)
    .map((item) => ({ ...item, at: toTime(item.at) }));
  return [...bad, ...items];
}

function toConfigItem(project: ProjectState, problem: string): InboxView {
  return {
    id: `${project.id}/config`,
    sessionId: project.id,
    kind: "config",
    text: `The last good configuration stays in force: ${problem}`,
    choices: [],
    act: "ao config validate",
    at: toTime(project.at),
  };
}

/** A time as people and programs read it. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}
