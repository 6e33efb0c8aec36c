import type { Http } from "./http.ts";

/**
 * Everything an adapter may do to the outside world. Plugins and the engine reach files, processes, servers and time
 * only through this.
 */
export interface Host {
  readonly exec: Exec;
  readonly fs: HostFs;
  readonly processes: HostProcesses;
  readonly http: Http;
  readonly clock: Clock;
  readonly log: Log;
  /** The daemon's environment, read-only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Everything that `exec` starts inside `work` carries AO_INTENT, so a later daemon can find it. */
  withIntent<T>(intentId: string, work: () => Promise<T>): Promise<T>;
  /** Programs in this package: the script that holds a run, the scripted agent, the driver of real agents. */
  readonly assets: {
    readonly holder: string;
    readonly rehearsal: { readonly program: string; readonly args: readonly string[] };
    readonly bridge: { readonly program: string; readonly args: readonly string[] };
    /** Connects a sandbox to a list of hosts. */
    readonly gate: { readonly program: string; readonly script: string };
    /** Calls the function of a hook in code. */
    readonly hookRunner: { readonly program: string; readonly script: string };
  };
}

export interface ExecRequest {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Added to the daemon's environment; `undefined` removes a name. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The whole environment, instead of the daemon's plus `env`. */
  readonly exactEnv?: Readonly<Record<string, string>>;
  readonly stdin?: string | Uint8Array;
  /** Default 60 s; then the process group is killed. */
  readonly timeoutMs?: number;
  /** Default 16 MiB for each of stdout and stderr. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
  /** Exit codes that are answers, not failures; default [0]. */
  readonly okCodes?: readonly number[];
}

export interface ExecResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end. Rejects with ExecError when it cannot start, times out, or exits with a code not in `okCodes`. A program that it
 * leaves running is not awaited, and its output is read for about a second more.
 */
export type Exec = (request: ExecRequest) => Promise<ExecResult>;

export type FileKind = "file" | "directory" | "symlink" | "other";

export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
}

export type CloneResult = "cloned" | "linked" | "copied" | "impossible";

/** Files. A missing file is `null` (or an empty list); any other failure rejects. */
export interface HostFs {
  readText(path: string): Promise<string | null>;
  /** Bytes from `from`, at most `max`; null when the file is missing. */
  readBytes(path: string, from: number, max: number): Promise<Uint8Array | null>;
  /** The last bytes, at most `max`; null when the file is missing. */
  readEnd(path: string, max: number): Promise<Uint8Array | null>;
  /**
   * A whole file that somebody else may replace at any moment. Null: it is missing, larger than `max`, or not a regular
   * file; a link is not followed, and a FIFO is not waited for.
   */
  readPlain(path: string, max: number): Promise<{ readonly bytes: Uint8Array; readonly mtimeMs: number } | null>;
  /** Reads bytes from `from` on into a buffer that the caller uses again; returns how many, null when the file is missing. */
  readInto(path: string, from: number, into: Uint8Array): Promise<number | null>;
  /** Replaces a file atomically: temp file, flush, rename. `isRef`: git may look at the folder meanwhile. */
  writeText(path: string, text: string, options?: { readonly mode?: number; readonly isRef?: boolean }): Promise<void>;
  /** Appends in one write and flushes to disk. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Frees the disk space of a file's first bytes; they then read as zeros, and all other offsets stay valid, even for
   * programs that have the file open. False: the file system does not support this.
   */
  freeStart(path: string, bytes: number): Promise<boolean>;
  /** Wakes whoever waits on this FIFO, now or later; does nothing if it is missing or not open. */
  ring(path: string): Promise<void>;
  /** Creates a folder and its parents; with `exclusive` returns false if the folder existed. */
  makeDir(path: string, options?: { readonly exclusive?: boolean; readonly mode?: number }): Promise<boolean>;
  /** Removes a file or a whole tree, if it exists. */
  remove(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Moves a file, link or folder to where nothing is; false: something is there, even if it came at this very moment. */
  moveNew(from: string, to: string): Promise<boolean>;
  /** Names in a folder, sorted; missing is []. */
  list(path: string): Promise<readonly string[]>;
  /** Does not follow a link. */
  stat(path: string): Promise<FileStat | null>;
  realPath(path: string): Promise<string | null>;
  makeLink(target: string, path: string): Promise<void>;
  readLink(path: string): Promise<string | null>;
  /** Copies a file or tree, as copy-on-write where the file system can; never overwrites. */
  copy(from: string, to: string): Promise<void>;
  /**
   * Clones a folder's tree while writing hardly any data: `cow` shares blocks until either side changes, `hardlink`
   * shares the files themselves for good, `copy` shares nothing. Never overwrites and never leaves a partial tree.
   * Returns "impossible" on file systems without support.
   */
  cloneTree(from: string, to: string, how: "cow" | "hardlink" | "copy"): Promise<CloneResult>;
  /**
   * Calls back on changes in a folder (not below it), with the changed name if known; returns a function that stops
   * watching.
   */
  watch(path: string, onChange: (name: string | null) => void): () => void;
}

/** Identifies a process, even if its pid is reused later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque start time from the system. */
  readonly started: string;
}

/** A running program that speaks in lines. */
export interface Conversation {
  write(line: string): void;
  /** Closes its input and ends the program. */
  close(): void;
}

export interface HostProcesses {
  /** Starts a helper program of the daemon and talks to it; `onEnd` is called once, even if it cannot be started. */
  converse(request: {
    readonly program: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly onLine: (line: string) => void;
    readonly onEnd: () => void;
  }): Conversation;
  /** Starts a program in its own session and process group, detached from the daemon; returns once it has started. */
  launch(request: {
    readonly program: string;
    readonly args: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  }): Promise<ProcessIdentity>;
  /** The identity of a live process, or null. A zombie is not alive. */
  identify(pid: number): ProcessIdentity | null;
  /** Is exactly this process alive? */
  isAlive(identity: ProcessIdentity): boolean;
  /**
   * Live processes whose AO_INTENT equals `intentId`: all of them, or only those `among` some pids, which is far
   * cheaper.
   */
  findByIntent(intentId: string, among?: readonly number[]): Promise<readonly ProcessIdentity[]>;
  /** The oldest live child of a process, or null. */
  firstChild(pid: number): number | null;
  /** Live members of a process group. */
  groupMembers(pgid: number): Promise<readonly ProcessIdentity[]>;
  /** Signals a process (negative pid: its group), if it exists. */
  signal(pid: number, signal: "SIGTERM" | "SIGKILL" | "SIGINT" | "SIGHUP"): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** Structured log; values are redacted before they are written. */
export interface Log {
  debug(message: string, data?: Readonly<Record<string, unknown>>): void;
  info(message: string, data?: Readonly<Record<string, unknown>>): void;
  warn(message: string, data?: Readonly<Record<string, unknown>>): void;
  error(message: string, data?: Readonly<Record<string, unknown>>): void;
}
