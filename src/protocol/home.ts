import { shortHash } from "../core/hash.ts";

/** The paths of one AO_HOME. */
export interface HomePaths {
  readonly home: string;
  readonly config: string;
  readonly database: string;
  readonly lock: string;
  readonly token: string;
  readonly tokens: string;
  readonly logins: string;
  readonly daemon: string;
  readonly startError: string;
  readonly log: string;
  readonly audit: string;
  readonly auditRefused: string;
  /** Webhook deliveries already processed. */
  readonly deliveries: string;
  readonly sessions: string;
  readonly checks: string;
  readonly cache: string;
  /** Disk space that is freed to end sessions while the disk is full. */
  readonly reserve: string;
  readonly socket: string;
  /** The folder to create (mode 0700) before the socket; null: the socket is in `home`. */
  readonly socketFolder: string | null;
}

export interface HomeContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly uid: number;
  readonly cwd: string;
}

/**
 * Does a folder for sockets belong to the user, and is it closed to all others? Anyone else who could write there could
 * pose as the daemon.
 */
export function isPrivateFolder(
  folder: { readonly uid: number; readonly mode: number; isDirectory(): boolean },
  uid: number,
): boolean {
  return folder.isDirectory() && folder.uid === uid && (folder.mode & 0o077) === 0;
}

/** The system silently cuts longer Unix socket paths. */
const MAX_SOCKET_PATH = 100;

/** The files of this user's AO_HOME. */
export function homePaths(context: HomeContext): HomePaths {
  const asked = context.env["AO_HOME"];
  const written = asked === undefined || asked === "" ? `${context.userHome}/.agent-orchestrator` : asked;
  const expanded = written === "~" || written.startsWith("~/") ? context.userHome + written.slice(1) : written;
  const absolute = expanded.startsWith("/") ? expanded : `${context.cwd}/${expanded}`;
  const home = absolute.length > 1 ? absolute.replace(/\/+$/, "") : absolute;
  const direct = `${home}/ao.sock`;
  const fits = direct.length <= MAX_SOCKET_PATH && new TextEncoder().encode(direct).length <= MAX_SOCKET_PATH;
  const folder = `${context.env["XDG_RUNTIME_DIR"] ?? "/tmp"}/ao-${context.uid}`;
  return {
    home,
    config: `${home}/config.yaml`,
    database: `${home}/ao.db`,
    lock: `${home}/daemon.lock`,
    token: `${home}/token`,
    tokens: `${home}/tokens.json`,
    logins: `${home}/logins.json`,
    daemon: `${home}/daemon.json`,
    startError: `${home}/start-error.json`,
    log: `${home}/logs/daemon.log`,
    audit: `${home}/logs/audit.jsonl`,
    auditRefused: `${home}/logs/audit-refused.jsonl`,
    deliveries: `${home}/logs/deliveries.jsonl`,
    sessions: `${home}/sessions`,
    checks: `${home}/checks`,
    cache: `${home}/cache`,
    reserve: `${home}/reserve`,
    socket: fits ? direct : `${folder}/${shortHash(home)}.sock`,
    socketFolder: fits ? null : folder,
  };
}
