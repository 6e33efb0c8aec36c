/** The words that calls accept, for clients too: this file loads no schema. */
export const COST_GROUPINGS = ["session", "task", "pull-request", "outcome", "reason", "model", "day"] as const;

/** What an agent may do without asking. */
export const PERMISSION_LEVELS = ["ask", "edits", "all"] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

/** Those between which a session can move: with a terminal, and without. */
export const RUNTIME_NAMES = ["tmux", "process"] as const;
export type RuntimeName = (typeof RUNTIME_NAMES)[number];

/** What a token may do: look, work with sessions and pull requests, or administer ao; each includes those before it. */
export const SCOPES = ["read", "operate", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** What came of a write. */
export const AUDIT_OUTCOMES = ["done", "refused", "failed"] as const;
