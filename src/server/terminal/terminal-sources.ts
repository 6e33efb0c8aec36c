import type { HostFs } from "../../ports/host.ts";
import type { TerminalLink, TerminalLinkEvents } from "../../ports/runtime.ts";

/** What one life of an agent's process has shown. */
export interface TerminalRun {
  readonly run: number;
  readonly isAlive: boolean;
  readonly folder: string;
  /** Every byte so far; it grows while the process lives. */
  readonly file: string;
  /** Null: there is no terminal, only output. */
  readonly connect: ((events: TerminalLinkEvents) => Promise<TerminalLink>) | null;
}

/** Where terminals are; the composition root provides it. */
export interface TerminalSources {
  readonly fs: Pick<HostFs, "readBytes" | "stat" | "watch">;
  /** The run that a session has now; null: it has had none, or the next one is starting. */
  currentRun(sessionId: string): Promise<TerminalRun | null>;
}
