/** Where an agent's process runs. Every run has its own folder, which records how it ended. */
export interface RunSpec {
  readonly sessionId: string;
  /** 1, 2, 3 ... for each start of the agent's process. */
  readonly run: number;
  /** Absolute; files in it: in, out, err, pid, exit, lock. */
  readonly runDir: string;
  readonly intentId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * inbox: stdin follows the file `in` until the run ends; file: stdin is `in`, then end of file; terminal: a terminal.
   * In a terminal, `inbox` means that AO_SCREEN names the file `in` and the file `out` for the program's lines.
   */
  readonly input: "inbox" | "file" | "terminal";
  /** First bytes of `in`. */
  readonly initialInput: string;
}

export interface RunRef {
  readonly sessionId: string;
  readonly run: number;
  readonly runDir: string;
}

export type RunProbe =
  | { readonly kind: "starting" }
  | { readonly kind: "alive"; readonly pid: number }
  | { readonly kind: "exited"; readonly code: number }
  /** The process is gone, and how it ended was not recorded. */
  | { readonly kind: "gone"; readonly evidence: string }
  | { readonly kind: "unknown"; readonly evidence: string };

export type StartAnswer =
  | { readonly kind: "started"; readonly pid: number }
  | { readonly kind: "exited"; readonly code: number };

/** May automation type into this terminal now? */
export type TypingGuard = { readonly kind: "free" } | { readonly kind: "wait"; readonly reason: string };

export interface Runtime {
  readonly modes: readonly ("pipes" | "terminal")[];
  /** Starts the program once per run folder; a second call for the same folder adopts the first. */
  start(spec: RunSpec): Promise<StartAnswer>;
  probe(ref: RunRef): Promise<RunProbe>;
  /**
   * Ends the run's process group: TERM, then KILL after the grace period. Idempotent; returns when no process is left.
   */
  end(ref: RunRef, graceMs: number): Promise<void>;
  /** Only in mode `terminal`. */
  readonly terminal?: TerminalControl;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The content of a terminal, as bytes that draw it on an empty one. */
export interface TerminalScreen {
  readonly size: TerminalSize;
  readonly drawing: string;
}

export interface TerminalLinkEvents {
  /** Reports the terminal's current size, whoever changed it. */
  size(size: TerminalSize): void;
  /** The connection is over: the terminal is gone. */
  end(): void;
}

/** A viewer's connection to a terminal. It ends with the daemon; the terminal does not. */
export interface TerminalLink {
  screen(): Promise<TerminalScreen>;
  resize(size: TerminalSize): void;
  /** A person pressed these keys; automation holds back as if they sat at the terminal. */
  press(bytes: Uint8Array): Promise<void>;
  close(): void;
}

export interface TerminalControl {
  /** The file with every byte that the terminal has shown. */
  shownFile(ref: RunRef): Promise<string>;
  connect(ref: RunRef, events: TerminalLinkEvents): Promise<TerminalLink>;
  guard(ref: RunRef): Promise<TypingGuard>;
  /** Pastes text (bracketed) and presses Enter. */
  type(ref: RunRef, text: string): Promise<void>;
  /** The command a person runs to see and use the terminal. */
  attachCommand(ref: RunRef): { readonly program: string; readonly args: readonly string[] };
  /** The visible screen as plain text. */
  capture(ref: RunRef): Promise<string>;
}
