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
  readonly agent: string;
  readonly runtime: string;
  readonly branch: string;
  readonly workspacePath: string | null;
  readonly pullRequests: readonly unknown[];
  readonly cost: { readonly inputTokens: number; readonly outputTokens: number; readonly costUsd: number };
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SessionDetailView extends SessionView {
  readonly summary: string | null;
  readonly question: { readonly id: string; readonly question: string; readonly choices: readonly string[] } | null;
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
  readonly baseCommit: string | null;
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

export interface InboxView {
  readonly id: string;
  readonly sessionId: string;
  readonly kind: string;
  readonly text: string;
  readonly choices: readonly string[];
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
