import { createHash } from "node:crypto";
import { join } from "node:path";

// The kernel cuts a longer address in silence (104 bytes on macOS, 108 on Linux, with the closing zero).
const MAX_SOCKET_BYTES = 100;

export interface SocketPlace {
  readonly path: string;
  /** A folder of ours outside of AO_HOME, to be made private before use; null inside AO_HOME. */
  readonly sharedFolder: string | null;
}

/**
 * Where the tmux server of one AO_HOME listens. The place depends on the home alone: a daemon that is started again
 * from another shell, with another XDG_RUNTIME_DIR or TMPDIR, has to find the server of the one before it.
 */
export function chooseSocket(home: string): SocketPlace {
  const path = join(home, "tmux.sock");
  if (Buffer.byteLength(path) <= MAX_SOCKET_BYTES) return { path, sharedFolder: null };
  const sharedFolder = `/tmp/ao-${hash(home, 16)}`;
  return { path: join(sharedFolder, "tmux.sock"), sharedFolder };
}

/** The tmux session of a run: letters, digits, dash and underscore only, since tmux reads `.`, `:` and `=` as syntax. */
export function nameTmuxSession(ref: { readonly sessionId: string; readonly run: number }): string {
  const safe = ref.sessionId.replace(/[^A-Za-z0-9_-]/g, "_");
  const unique = safe === ref.sessionId ? safe : `${safe}-${hash(ref.sessionId, 8)}`;
  return `ao-${unique}-${ref.run}`;
}

/** A target that means exactly this session: without `=` tmux takes a prefix for a match. */
export function exactTarget(name: string): string {
  return `=${name}:`;
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
