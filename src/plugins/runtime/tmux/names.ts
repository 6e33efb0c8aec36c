import { createHash } from "node:crypto";
import { join } from "node:path";

// The kernel silently cuts a longer address (104 bytes on macOS, 108 on Linux, including the final zero).
const MAX_SOCKET_BYTES = 100;

export interface SocketPlace {
  readonly path: string;
  /** A folder of ours outside AO_HOME, to be made private before use; null inside AO_HOME. */
  readonly sharedFolder: string | null;
}

/**
 * The socket of one AO_HOME's tmux server. It depends only on the home: a daemon restarted from another shell, with
 * another XDG_RUNTIME_DIR or TMPDIR, must find its predecessor's server.
 */
export function chooseSocket(home: string): SocketPlace {
  const path = join(home, "tmux.sock");
  if (Buffer.byteLength(path) <= MAX_SOCKET_BYTES) return { path, sharedFolder: null };
  const sharedFolder = `/tmp/ao-${hash(home, 16)}`;
  return { path: join(sharedFolder, "tmux.sock"), sharedFolder };
}

/**
 * The tmux session of a run: only letters, digits, dash and underscore, because tmux treats `.`, `:` and `=` as syntax.
 */
export function nameTmuxSession(ref: { readonly sessionId: string; readonly run: number }): string {
  const safe = ref.sessionId.replace(/[^A-Za-z0-9_-]/g, "_");
  const unique = safe === ref.sessionId ? safe : `${safe}-${hash(ref.sessionId, 8)}`;
  return `ao-${unique}-${ref.run}`;
}

/** A target that means exactly this session: without `=` tmux accepts a prefix. */
export function exactTarget(name: string): string {
  return `=${name}:`;
}

function hash(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
