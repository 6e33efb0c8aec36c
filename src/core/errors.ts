/** Every code a user can see; scripts may match them, so the list only grows. */
export type ErrorCode =
  | "usage"
  | "config-invalid"
  | "config-not-found"
  | "not-a-repository"
  | "no-commits"
  | "detached-head"
  | "git-too-old"
  | "git-failed"
  | "program-missing"
  | "project-unknown"
  | "project-exists"
  | "session-unknown"
  | "session-ambiguous"
  | "session-state"
  | "task-taken"
  | "task-unknown"
  | "message-refused"
  | "message-unknown"
  | "question-unknown"
  | "workspace-missing"
  | "branch-taken"
  | "port-taken"
  | "daemon-running"
  | "daemon-unreachable"
  | "store-corrupt"
  | "store-unwritable"
  | "disk-full"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "conflict"
  | "changed-meanwhile"
  | "key-reused"
  | "too-large"
  | "too-many-attempts"
  | "timeout"
  | "unsupported"
  | "plugin-unavailable"
  | "plugin-failed"
  | "internal";

export interface AoErrorOptions {
  readonly code: ErrorCode;
  /** What failed, in one sentence, with names. */
  readonly message: string;
  /** What the user can do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** The one error that users see: a code for scripts, a sentence for people, a hint for what to do next. */
export class AoError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(options: AoErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AoError";
    this.code = options.code;
    this.hint = options.hint;
    this.data = options.data;
  }
}

/** The only thing that decides whether an effect is retried. */
export type PluginErrorCategory =
  | "config"
  | "auth"
  | "not-found"
  | "conflict"
  | "rate-limited"
  | "unavailable"
  | "timeout"
  | "bad-response"
  | "unknown-outcome";

/** A failure inside an adapter; `category` decides whether the effect is retried. */
export class PluginError extends AoError {
  readonly plugin: string;
  readonly category: PluginErrorCategory;
  readonly retryAfterMs: number | undefined;

  constructor(
    options: Omit<AoErrorOptions, "code"> & {
      readonly code?: ErrorCode;
      readonly plugin: string;
      readonly category: PluginErrorCategory;
      readonly retryAfterMs?: number;
    },
  ) {
    super({ ...options, code: options.code ?? "plugin-failed" });
    this.name = "PluginError";
    this.plugin = options.plugin;
    this.category = options.category;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Something impossible happened: a bug in `ao`, to be reported. */
export class InvariantError extends AoError {
  constructor(message: string, cause?: unknown) {
    super({ code: "internal", message, hint: "This is a bug in ao; please report it.", cause });
    this.name = "InvariantError";
  }
}
