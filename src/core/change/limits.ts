/** Reviews, threads, replies in a thread, and labels that a change may have; more are refused. */
export const MAX_REVIEWS = 500;
export const MAX_THREADS = 2000;
export const MAX_REPLIES = 500;
export const MAX_LABELS = 100;
