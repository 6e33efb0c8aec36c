import type { AgentSignal } from "../core/agent-signal.ts";
import type { LoginFile } from "../core/login/login-file.ts";

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

/**
 * A folder of an agent's program in the user's home. What is in it decides what the user's programs run and believe, so in
 * a sandbox each session has a copy of its own. A `*` in a name matches any text.
 */
export interface AgentFolder {
  /** Absolute. */
  readonly path: string;
  /** Directly in it: kept the same as the user's. */
  readonly logins?: readonly LoginFile[];
  /** Entries that start empty in a session and outlive its workspace: a restored session goes on with them. */
  readonly conversations?: readonly string[];
  /** Entries that start empty in a session: logs, caches, sockets and locks of the user's programs. */
  readonly omitted?: readonly string[];
  /** The user's files elsewhere, by the name that their copies have in this folder. */
  readonly adopted?: Readonly<Record<string, string>>;
}

/** What an agent's program needs in a sandbox. */
export interface Footprint {
  readonly folders: readonly AgentFolder[];
  /** Variables that it gets there. */
  readonly environment?: Readonly<Record<string, string>>;
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
