import type { HostFs } from "../../ports/host.ts";
import type { TerminalLink, TerminalLinkEvents } from "../../ports/runtime.ts";

/** The output of one run of an agent's process. */
export interface TerminalRun {
  readonly run: number;
  readonly isAlive: boolean;
  readonly folder: string;
  /** Every byte so far; it grows while the process lives. */
  readonly file: string;
  /** Null: no terminal, only output. */
  readonly connect: ((events: TerminalLinkEvents) => Promise<TerminalLink>) | null;
}

/** Where terminals are; provided by the composition root. */
export interface TerminalSources {
  readonly fs: Pick<HostFs, "readBytes" | "stat" | "watch">;
  /** The session's current run; null: none yet, or the next one is starting. */
  currentRun(sessionId: string): Promise<TerminalRun | null>;
}
