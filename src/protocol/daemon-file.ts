/** daemon.json: how to reach a running daemon. */
export interface DaemonFile {
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  readonly socket: string;
  readonly startedAt: string;
}

/**
 * A daemon exits with this code if another one is already running. Commands that start one at the same moment rely on
 * the exit code: they share one file for start errors, which the running daemon removes.
 */
export const DAEMON_RUNNING_EXIT = 75;
