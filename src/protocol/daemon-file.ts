/** daemon.json: how a running daemon is reached. */
export interface DaemonFile {
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  readonly socket: string;
  readonly startedAt: string;
}

/**
 * A daemon exits with this when another one runs already. Commands that start one at the same moment learn it from the exit code: they share one
 * file for errors of a start, which the daemon that runs removes.
 */
export const DAEMON_RUNNING_EXIT = 75;
