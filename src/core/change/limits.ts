/** Reviews, threads and labels that a change may have; more are refused. */
export const MAX_REVIEWS = 200;
export const MAX_THREADS = 500;
export const MAX_REPLIES = 100;
export const MAX_LABELS = 50;
