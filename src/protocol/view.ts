import type { CostView } from "./cost-view.ts";
import type { AttentionView } from "./fleet-view.ts";
import type { QuestionView } from "./question-view.ts";

/** The shapes that cross the wire; the CLI, the page and scripts rely on them. */
export interface SessionView {
  readonly id: string;
  readonly projectId: string;
  readonly title: string;
  readonly issue: string | null;
  readonly role: string;
  readonly status: string;
  readonly state: "idle" | "working" | "waiting" | "error";
  readonly evidence: string;
  /** What the agent does now, in one line; null: nothing, or it does not say. */
  readonly activity: string | null;
  /** Why it needs a person; null: it does not. */
  readonly attention: AttentionView | null;
  /** Files that its last turn left changed and not committed. */
  readonly uncommitted: number;
  readonly agent: string;
  readonly runtime: string;
  readonly branch: string;
  readonly workspacePath: string | null;
  readonly pullRequests: readonly PullRequestView[];
  readonly cost: CostView;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SessionDetailView extends SessionView {
  readonly summary: string | null;
  readonly question: QuestionView | null;
  readonly messages: readonly MessageView[];
  readonly run: {
    readonly n: number;
    readonly state: string;
    readonly pid: number | null;
    readonly evidence: string | null;
  };
  readonly workspace: {
    readonly state: string;
    readonly reason: string | null;
    readonly preservedRef: string | null;
    readonly notes: readonly string[];
  };
  /** The runtime that it was made with, while it is in another one; null: it is where it was made. */
  readonly movedFrom: string | null;
  readonly baseCommit: string | null;
  /** Commits of its branch beyond its base after the last turn; null: not known, or the turn still runs. */
  readonly ahead: number | null;
  /** What the agent does, whatever its pull request needs. */
  readonly agentStatus: string;
  /** Its own and those of its open pull request. */
  readonly problems: readonly ProblemOfView[];
}

/** A pull request as lists show it. */
export interface PullRequestView {
  /** `<project>/<number>`. */
  readonly key: string;
  readonly projectId: string;
  readonly number: number;
  readonly sessionId: string | null;
  readonly issue: string | null;
  readonly title: string;
  readonly branch: string;
  readonly base: string;
  readonly head: string;
  /** open, merged or closed. */
  readonly phase: string;
  /** What is worst, or what comes next: ci-failed, review-pending, mergeable ... */
  readonly status: string;
  readonly evidence: string;
  readonly checks: readonly CheckView[];
  readonly approvals: readonly string[];
  readonly labels: readonly string[];
  /** What blocks its merge; empty: nothing. */
  readonly blockers: readonly string[];
  readonly mergeCommit: string | null;
  readonly openedAt: string;
  readonly updatedAt: string;
}

export interface CheckView {
  readonly name: string;
  readonly state: string;
  readonly required: boolean;
  readonly head: string;
  readonly attempt: number;
  readonly code: number | null;
  /** What it does while it runs; null: it does not run, or that is not known yet. */
  readonly phase: "set-up" | "run" | null;
  /** Set while it runs. */
  readonly startedAt: string | null;
  readonly tookMs: number | null;
  readonly at: string;
}

/** A part of the log of a check, set-up first, as plain text; it can be read while the check runs. */
export interface CheckLogView {
  readonly check: string;
  readonly head: string;
  readonly attempt: number;
  readonly state: string;
  readonly phase: "set-up" | "run" | null;
  readonly log: string;
  /** Give it back to read on. */
  readonly cursor: number;
}

export interface ReviewView {
  readonly id: string;
  readonly author: string;
  readonly verdict: "approve" | "request-changes" | "comment";
  readonly body: string | null;
  readonly head: string;
  readonly at: string;
}

export interface ThreadView {
  readonly id: string;
  readonly reviewId: string;
  readonly path: string | null;
  readonly line: number | null;
  readonly resolvedBy: string | null;
  readonly comments: readonly {
    readonly id: string;
    readonly author: string;
    readonly byAgent: boolean;
    readonly text: string;
    readonly at: string;
  }[];
}

export interface ProblemOfView {
  readonly id: string;
  readonly key: string;
  readonly text: string;
  /** How many messages the agent got because of it. */
  readonly messages: number;
  /** A person was told. */
  readonly escalated: boolean;
  readonly acknowledged: boolean;
  readonly since: string;
}

/** A pull request with all that is known of it. */
export interface PullRequestDetailView extends PullRequestView {
  readonly body: string | null;
  readonly reviews: readonly ReviewView[];
  readonly threads: readonly ThreadView[];
  readonly problems: readonly ProblemOfView[];
  readonly mergeability: { readonly kind: string; readonly files: readonly string[] } | null;
  readonly mergeRequest: { readonly by: string; readonly strategy: string; readonly reason: string | null } | null;
  /** Why the last try to merge this commit did not work. */
  readonly refusal: string | null;
  /** By the name of the check: the end of its log. */
  readonly logs: Readonly<Record<string, string>>;
}

/** Where a message is: delivered (the agent confirmed), queued, unconfirmed (sent, no receipt), failed or unknown. */
export interface MessageView {
  readonly id: string;
  readonly kind: string;
  readonly delivery: "queued" | "sending" | "unconfirmed" | "delivered" | "unknown" | "failed" | "withdrawn";
  readonly attempt: number;
  readonly bytes: number;
  readonly reason: string | null;
  readonly at: string;
}

export interface ProjectView {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly repo: string | null;
  readonly defaultBranch: string;
  readonly sessionPrefix: string;
  readonly configFile: string | null;
  readonly paused: boolean;
  readonly sessions: number;
  /** Things of its configuration that a person should know. */
  readonly notes: readonly string[];
}

/** One prerequisite: fine, worth knowing, or broken, with what to do about it. */
export interface FindingView {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly text: string;
  readonly fix: string | null;
}

export interface InboxView {
  readonly id: string;
  /** The session, or what has none: a project, a pull request. */
  readonly sessionId: string;
  /** `<project>/<number>` of the pull request that it is about. */
  readonly pullRequest: string | null;
  /** `ao ack` puts it aside; anything else goes away when it is dealt with. */
  readonly canAcknowledge: boolean;
  readonly kind: string;
  readonly text: string;
  readonly choices: readonly string[];
  /** The question, of an entry that is one. */
  readonly question: QuestionView | null;
  readonly act: string;
  readonly at: string;
}

export interface EventView {
  readonly position: number;
  readonly stream: string;
  readonly type: string;
  readonly at: string;
  /** One sentence for people. */
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface IssueView {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly state: "open" | "closed";
  readonly labels: readonly string[];
  readonly priority: string | null;
  readonly dependsOn: readonly string[];
  readonly assignee: string | null;
  readonly url: string | null;
}

export interface OutputView {
  /** Text of the runs' output after `cursor`, in order. */
  readonly text: string;
  /** Opaque; ask again with it to go on. */
  readonly cursor: string;
}

export interface AttachView {
  /** What to run to use the terminal; null: there is none, follow the output instead. */
  readonly command: { readonly program: string; readonly args: readonly string[] } | null;
}

export interface CleanupView {
  readonly dryRun: boolean;
  readonly items: readonly {
    readonly sessionId: string;
    readonly action: "removed" | "would-remove" | "refused";
    readonly branch: string;
    readonly reason: string;
  }[];
}

export interface HealthView {
  readonly ok: boolean;
  readonly version: string;
  readonly pid: number;
  readonly url: string | null;
  readonly socket: string;
  readonly trouble: string | null;
}

export interface ProblemView {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly hint: string | null;
}

export interface TokenView {
  readonly name: string;
  readonly createdAt: string;
}

/** daemon.json: how a running daemon is reached. */
export interface DaemonFile {
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  readonly socket: string;
  readonly startedAt: string;
}

/** A link for the browser that works once. */
export interface LinkView {
  readonly url: string;
  readonly expiresAt: string;
}

export interface NotifyTestView {
  readonly notifier: string;
  readonly sent: boolean;
  readonly reason: string | null;
}
