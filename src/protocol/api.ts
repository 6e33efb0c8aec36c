import type { MergeStrategy } from "../core/merge/strategy.ts";
import type { PermissionLevel, RuntimeName } from "./choices.ts";
import type { CostGrouping, CostsView, SessionCostView } from "./views/cost.ts";
import type { CleanupView, FindingView, HealthView, LinkView, NotifyTestView, TokenView } from "./views/daemon.ts";
import type { EventView } from "./views/event.ts";
import type { FleetView } from "./views/fleet.ts";
import type { InboxView } from "./views/inbox.ts";
import type { AddedProjects, IssueView, ProjectView } from "./views/project.ts";
import type { CheckLogView, PullRequestDetailView, PullRequestView } from "./views/pull-request.ts";
import type {
  AttachView,
  MessageView,
  OutputView,
  SessionDetailView,
  SessionStatusView,
  SessionView,
} from "./views/session.ts";
import type { TranscriptPage } from "./views/transcript.ts";

/** Every call of the API: method, path, what goes in, what comes out. A list is `{ data: [...] }`. */
export interface Api {
  "GET /healthz": { in: undefined; out: HealthView };
  "GET /api/sessions": {
    in: { project?: string; all?: boolean };
    out: { data: readonly SessionView[]; fleet: FleetView };
  };
  /** `notes`: what the caller should know about how it was understood. */
  "POST /api/sessions": { in: CreateSessionBody; out: SessionDetailView & { readonly notes: readonly string[] } };
  "GET /api/sessions/:id": { in: undefined; out: SessionDetailView };
  "GET /api/sessions/:id/status": { in: undefined; out: SessionStatusView };
  "DELETE /api/sessions/:id": { in: { wait?: boolean }; out: SessionDetailView };
  "POST /api/sessions/:id/message": { in: { content: string }; out: { messageId: string; sessionId: string } };
  /** Ends the turn that runs. */
  "POST /api/sessions/:id/interrupt": { in: undefined; out: { messageId: string; sessionId: string } };
  /** Ends the agent's process; the next one goes on with the conversation under this runtime. */
  "POST /api/sessions/:id/runtime": { in: { runtime: RuntimeName }; out: SessionDetailView };
  /** Commits everything that is changed in its workspace; `now`: also while its agent works. */
  "POST /api/sessions/:id/commit": {
    in: { message: string; now?: boolean };
    out: { sessionId: string; branch: string; head: string; files: number; pullRequest: PullRequestView | null };
  };
  "GET /api/sessions/:id/messages/:mid": { in: { wait?: number }; out: MessageView };
  /** `now`: although all slots are taken; also starts a queued session. */
  "POST /api/sessions/:id/restore": { in: RestoreBody; out: SessionDetailView };
  "POST /api/sessions/:id/permission": {
    in: { choice: string; questionId?: string };
    out: { messageId: string; choice: string };
  };
  "GET /api/sessions/:id/timeline": { in: undefined; out: { data: readonly EventView[] } };
  "GET /api/sessions/:id/diff": { in: undefined; out: { diff: string } };
  "GET /api/sessions/:id/output": { in: { cursor?: string }; out: OutputView };
  /**
   * The conversation: without a cursor its newest items, with the `cursor` of a page what came after it, with its `older` what came
   * before. `wait`: so many milliseconds for something new, when there is nothing after the cursor.
   */
  "GET /api/sessions/:id/transcript": {
    in: { cursor?: string; limit?: number; wait?: number };
    out: TranscriptPage;
  };
  /** Since a day, such as 2026-07-01, in UTC. */
  "GET /api/sessions/:id/cost": { in: { since?: string }; out: SessionCostView };
  "GET /api/sessions/:id/attach": { in: undefined; out: AttachView };
  "GET /api/projects": { in: undefined; out: { data: readonly ProjectView[] } };
  /** Registers the projects of a folder; writes its configuration where there is none. */
  "POST /api/projects": { in: AddProjectBody; out: AddedProjects };
  /** Agents by name: those whose program is on `path`, all there are, and variables that they may need. */
  "GET /api/agents": {
    in: { path?: string };
    out: { found: readonly string[]; known: readonly string[]; variables: readonly string[] };
  };
  /** The file that is in force for machine-wide keys. */
  "GET /api/machine-config": { in: undefined; out: { file: string | null } };
  /** The project around a folder; else the repository there that no project has. */
  "GET /api/projects/here": {
    in: { cwd: string };
    out: { projectId: string | null; repository: string | null };
  };
  "DELETE /api/projects/:id": { in: undefined; out: ProjectView };
  "GET /api/projects/:id/issues": {
    in: { state?: "open" | "closed" | "all" };
    out: { data: readonly IssueView[]; problems: readonly string[] };
  };
  "POST /api/projects/:id/issues": {
    in: { title: string; body?: string; labels?: readonly string[]; dependsOn?: readonly string[]; priority?: string };
    out: IssueView;
  };
  "GET /api/projects/:id/issues/:issue": { in: undefined; out: IssueView };
  "PATCH /api/projects/:id/issues/:issue": {
    in: {
      title?: string;
      body?: string;
      state?: "open" | "closed";
      labels?: readonly string[];
      priority?: string;
      dependsOn?: readonly string[];
    };
    out: IssueView;
  };
  "POST /api/sessions/:id/pull-request": { in: { title?: string; body?: string }; out: PullRequestDetailView };
  /** For the session's open pull request. */
  "POST /api/sessions/:id/approve": {
    in: { body?: string; head?: string; author?: string };
    out: PullRequestDetailView;
  };
  "POST /api/sessions/:id/review": { in: ReviewBody; out: PullRequestDetailView };
  "DELETE /api/sessions/:id/merge": { in: undefined; out: PullRequestDetailView };
  "POST /api/sessions/:id/merge": { in: { strategy?: MergeStrategy; wait?: boolean }; out: PullRequestDetailView };
  /** The agent of the session replies; a person replies below the pull request itself. */
  "POST /api/sessions/:id/reply": { in: { thread: string; text: string }; out: PullRequestDetailView };
  /** What only the daemon can check: the projects' agents. `path` is the PATH of the caller's shell. */
  "GET /api/doctor": { in: { path?: string }; out: { data: readonly FindingView[] } };
  "GET /api/pull-requests": {
    in: { project?: string; state?: "open" | "merged" | "closed" | "all" };
    out: { data: readonly PullRequestView[] };
  };
  /** The pull request that a person means: `#3`, `3`, `project/3` or a session. */
  "GET /api/pull-requests/find": {
    in: { ref: string; project?: string; cwd?: string };
    out: PullRequestDetailView;
  };
  "GET /api/pull-requests/:project/:number": { in: undefined; out: PullRequestDetailView };
  "GET /api/pull-requests/:project/:number/diff": { in: undefined; out: { diff: string } };
  "GET /api/pull-requests/:project/:number/timeline": { in: undefined; out: { data: readonly EventView[] } };
  "POST /api/pull-requests/:project/:number/review": { in: ReviewBody; out: PullRequestDetailView };
  "GET /api/pull-requests/:project/:number/checks/:check/log": { in: { cursor?: number }; out: CheckLogView };
  "DELETE /api/pull-requests/:project/:number/merge": { in: undefined; out: PullRequestDetailView };
  "POST /api/pull-requests/:project/:number/merge": {
    in: { strategy?: MergeStrategy; wait?: boolean };
    out: PullRequestDetailView;
  };
  "POST /api/pull-requests/:project/:number/close": { in: { reason?: string }; out: PullRequestDetailView };
  "POST /api/pull-requests/:project/:number/rerun": { in: { check?: string }; out: PullRequestDetailView };
  "POST /api/pull-requests/:project/:number/labels": {
    in: { add?: readonly string[]; remove?: readonly string[] };
    out: PullRequestDetailView;
  };
  "POST /api/pull-requests/:project/:number/threads/:thread/reply": {
    in: { text: string; author?: string };
    out: PullRequestDetailView;
  };
  "POST /api/pull-requests/:project/:number/threads/:thread/resolve": {
    in: { resolved?: boolean };
    out: PullRequestDetailView;
  };
  /** For the browser; `session` opens that session's page. */
  "POST /api/link": { in: { session?: string }; out: LinkView };
  "POST /api/inbox/ack": { in: { id: string }; out: { acknowledged: true; id: string } };
  "POST /api/notify/test": { in: { notifier?: string }; out: { data: readonly NotifyTestView[] } };
  "GET /api/costs": { in: { by?: CostGrouping; project?: string; since?: string }; out: CostsView };
  "GET /api/inbox": { in: undefined; out: { data: readonly InboxView[] } };
  "POST /api/pause": { in: { project?: string }; out: { paused: true } };
  "POST /api/resume": { in: { project?: string }; out: { paused: false } };
  "POST /api/cleanup": { in: { dryRun: boolean; preserved?: boolean }; out: CleanupView };
  "GET /api/tokens": { in: undefined; out: { data: readonly TokenView[] } };
  "POST /api/tokens": { in: { name: string }; out: { name: string; token: string } };
  "DELETE /api/tokens/:name": { in: undefined; out: TokenView };
  "POST /api/shutdown": { in: { sessions?: boolean }; out: { stopping: true } };
}

export interface ReviewBody {
  readonly verdict: "approve" | "request-changes" | "comment";
  readonly body?: string;
  readonly comments?: readonly { readonly path: string; readonly line?: number; readonly text: string }[];
  /** Refused when the pull request has moved on from this commit. */
  readonly head?: string;
  /** Who says so; default: the user of the machine. */
  readonly author?: string;
}

export interface AddProjectBody {
  readonly path: string;
  /** The configuration to use, instead of the one that is found. */
  readonly config?: string;
  /** The agent for a configuration that has to be written; by default the first that is found. */
  readonly agent?: string;
  /** Write nothing while several agents are found and none is named: answer with `choices` instead. */
  readonly choose?: boolean;
  /** What agents need from the caller's shell. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface CreateSessionBody {
  readonly projectId?: string;
  readonly issue?: string;
  readonly title?: string;
  readonly prompt?: string;
  readonly agent?: string;
  readonly runtime?: string;
  /** The model, instead of the project's. */
  readonly model?: string;
  /** What the agent may do without asking, instead of the project's. */
  readonly permissions?: PermissionLevel;
  readonly branch?: string;
  /** Start even over the limit. */
  readonly now?: boolean;
  /** Answer when the workspace is ready (or failed, or queued) instead of at once. */
  readonly wait?: boolean;
  /** The caller's working folder, to find the project when none is named. */
  readonly cwd?: string;
  /** PATH and SSH_AUTH_SOCK of the calling shell. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RestoreBody {
  /** Start even over the limit. */
  readonly now?: boolean;
  /** Answer when the workspace is ready (or failed, or queued) instead of at once. */
  readonly wait?: boolean;
  /** What agents need from the caller's shell; absent: the session keeps what it has. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Call = keyof Api;
