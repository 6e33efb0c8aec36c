/** daemon.json: how a running daemon is reached. */
export interface DaemonFile {
  readonly pid: number;
  readonly version: string;
  readonly url: string | null;
  readonly socket: string;
  readonly startedAt: string;
}
