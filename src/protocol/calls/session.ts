/** What all calls about one session share. */
export const UNKNOWN_SESSION = ["session-unknown", "session-ambiguous"] as const;
export const reading = { tag: "sessions", scope: "read", own: true, errors: UNKNOWN_SESSION } as const;
export const steering = { tag: "sessions", scope: "operate", errors: [...UNKNOWN_SESSION, "session-state"] } as const;
