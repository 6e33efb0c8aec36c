import type { AgentSignal } from "../core/agent-signal.ts";

/** How a coding agent is launched, spoken to and understood. */
export type AgentInterface = "structured" | "terminal";

export interface AgentLaunch {
  readonly argv: readonly string[];
  /** Added to the session's environment. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Lower precedence than the session's environment: for example the vendor's login, which other sessions do not get.
   */
  readonly defaults?: Readonly<Record<string, string>>;
  /**
   * inbox: long-lived, one line per message (also beside a terminal); file: one process per message; terminal: typed.
   */
  readonly input: "inbox" | "file" | "terminal";
}

export interface OutgoingMessage {
  readonly id: string;
  readonly kind: "task" | "message" | "answer" | "resume" | "interrupt";
  readonly text: string;
  /** 1 the first time; higher after the agent died. */
  readonly attempt: number;
}

export interface AgentProblem {
  readonly code: "program-missing" | "config-invalid" | "unsupported";
  readonly message: string;
  readonly hint: string;
}

/** What an agent's program needs in a sandbox that hides the user's home. */
export interface Footprint {
  /** Absolute paths of folders it writes to; missing ones are created. */
  readonly folders: readonly string[];
  /** It does not work without network access. */
  readonly network: boolean;
}

export interface Agent {
  /**
   * It reads the session's brief from the file in AO_BRIEF; otherwise the brief follows the task in the first message.
   */
  readonly readsBrief?: boolean;
  /** What to run for a session; never a shell string. */
  launch(context: { readonly interface: AgentInterface; readonly resume: boolean }): AgentLaunch;
  /** The bytes for stdin: a whole line with its newline (inbox), or the text as is (file). */
  encode(message: OutgoingMessage): string;
  /** Parses one line of output; null if it is plain output. Never throws. */
  decode(line: string): AgentSignal | null;
  /** What prevents a launch (with this interface and environment, if given), found without launching. */
  preflight(wanted?: AgentInterface, environment?: Readonly<Record<string, string>>): Promise<readonly AgentProblem[]>;
  /** Absent: it writes only to its workspace. */
  footprint?(environment: Readonly<Record<string, string>>): Footprint;
}
