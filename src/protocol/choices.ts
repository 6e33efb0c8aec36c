/** The words that calls accept, shared with clients: this file loads no schema. */
export const COST_GROUPINGS = ["session", "task", "pull-request", "outcome", "reason", "model", "day"] as const;

/** What an agent may do without asking. */
export const PERMISSION_LEVELS = ["ask", "edits", "all"] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/** The runtimes that a session can move between: with and without a terminal. */
export const RUNTIME_NAMES = ["tmux", "process"] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

/** What a token may do: read, work with sessions and pull requests, or administer ao; each includes the ones before. */
export const SCOPES = ["read", "operate", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** The outcome of a write. */
export const AUDIT_OUTCOMES = ["done", "refused", "failed"] as const;
