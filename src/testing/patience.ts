/** How long a test waits for another process. Only something broken takes this long, also on a machine that is busy. */
export const PATIENCE_MS = 300_000;
