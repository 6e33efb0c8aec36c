import type { AgentSignal } from "../core/agent-signal.ts";

/** How a coding agent is launched, spoken to and understood. */
export type AgentInterface = "structured" | "terminal";

export interface AgentLaunch {
  readonly argv: readonly string[];
  /** Added to the session's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Below the session's environment, which wins: such as the vendor's own login, which is kept from other sessions. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** inbox: long-lived, one line for each message (also beside a terminal); file: one process for each message; terminal: typed. */
  readonly input: "inbox" | "file" | "terminal";
}

export interface OutgoingMessage {
  readonly id: string;
  readonly kind: "task" | "message" | "answer" | "resume" | "interrupt";
  readonly text: string;
  /** 1 for the first time; more after the agent's death. */
  readonly attempt: number;
}

export interface AgentProblem {
  readonly code: "program-missing" | "config-invalid" | "unsupported";
  readonly message: string;
  readonly hint: string;
}

/** What an agent's own program must have to work, in a sandbox that closes the user's home to it. */
export interface Footprint {
  /** Folders that it writes to, absolute; those that are missing are made. */
  readonly folders: readonly string[];
  /** It cannot work without a network. */
  readonly network: boolean;
}

export interface Agent {
  /** It reads the session's brief from the file that AO_BRIEF names; otherwise the brief follows the task in the first message. */
  readonly readsBrief?: boolean;
  /** What to run for a session; never a shell string. */
  launch(context: { readonly interface: AgentInterface; readonly resume: boolean }): AgentLaunch;
  /** The bytes for stdin: a whole line with its newline (inbox), the text as it is (file). */
  encode(message: OutgoingMessage): string;
  /** Reads one line of output; null when it is only output. Never throws. */
  decode(line: string): AgentSignal | null;
  /** What stands in the way of a launch (with this interface and environment, if known), found without launching. */
  preflight(wanted?: AgentInterface, environment?: Readonly<Record<string, string>>): Promise<readonly AgentProblem[]>;
  /** Absent: it writes nowhere but in its workspace. */
  footprint?(environment: Readonly<Record<string, string>>): Footprint;
}
