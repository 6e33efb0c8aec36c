/** How long a test waits for another process. Only something broken takes this long, even on a busy machine. */
export const PATIENCE_MS = 300_000;
