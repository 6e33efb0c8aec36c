import { join } from "node:path";
import { AoError } from "../../core/errors.ts";
import { isLeftBehind, runtimeOfRun, type SessionState } from "../../core/session/state.ts";
import type { Workspace, WorkspaceRef } from "../../ports/workspace.ts";
import type { AttachView, OutputView } from "../../protocol/views/session.ts";
import type { Kernel } from "../kernel.ts";

const MAX_OUTPUT = 512 * 1024;

/** Changes of a session against its base, committed or not. */
export async function diff(kernel: Kernel, sessionId: string): Promise<string> {
  const session = requireSession(kernel, sessionId);
  const { workspace, ref } = requireWorkspace(kernel, session);
  return workspace.diff(ref, session.workspace.baseCommit ?? "");
}

/** The workspace of a session, with its plugin; throws if there is none. */
export function requireWorkspace(
  kernel: Kernel,
  session: SessionState,
): { readonly workspace: Workspace; readonly ref: WorkspaceRef } {
  const { path, baseCommit, state, generation } = session.workspace;
  if (path === null || baseCommit === null || state !== "ready") {
    throw new AoError({
      code: "workspace-missing",
      message: `Session ${session.id} has no workspace at the moment (${state}).`,
      hint: `Bring it back with \`ao restore ${session.id}\`.`,
    });
  }
  const project = kernel.engine.loop.world.view.project(session.projectId);
  const { path: folder = "", defaultBranch = "" } = project ?? {};
  return {
    workspace: kernel.plugins.get("workspace", session.workspacePlugin, folder),
    ref: {
      project: { id: session.projectId, path: folder, defaultBranch },
      sessionId: session.id,
      path,
      branch: session.branch,
      generation,
    },
  };
}

interface OutputPlace {
  readonly run: number;
  readonly offset: number;
  readonly errors: number;
}

/**
 * Output of all runs after a cursor (`run:offset:errors`), or about the last bytes of it; standard output and then the
 * errors of each ended run.
 */
export async function output(
  kernel: Kernel,
  sessionId: string,
  { cursor, last: lastBytes }: { readonly cursor?: string; readonly last?: number },
): Promise<OutputView> {
  const session = requireSession(kernel, sessionId);
  const last = session.run.n;
  let place =
    cursor === undefined && lastBytes !== undefined
      ? await placeFromEnd(kernel, sessionId, { last, bytes: lastBytes })
      : parsePlace(cursor ?? "1:0:0");
  let text = "";
  while (place.run <= last && text.length < MAX_OUTPUT) {
    const folder = kernel.runDir(sessionId, place.run);
    const out = await readText(kernel, join(folder, "out"), place.offset);
    const err = await readText(kernel, join(folder, "err"), place.errors);
    text += out.text + err.text;
    place = { run: place.run, offset: out.next, errors: err.next };
    const over = place.run < last && out.text === "" && err.text === "";
    if (place.run === last || !over) {
      if (out.text === "" && err.text === "") break;
      continue;
    }
    place = { run: place.run + 1, offset: 0, errors: 0 };
  }
  // The next call reads what was printed between this read and the session's stop.
  const over = session.phase === "stopped" && text === "";
  return { text, cursor: `${place.run}:${place.offset}:${place.errors}`, over };
}

function parsePlace(cursor: string): OutputPlace {
  const [run = 1, offset = 0, errors = 0] = cursor.split(":").map((part) => Number.parseInt(part, 10) || 0);
  return { run: Math.max(1, run), offset, errors };
}

// Long output is not read completely to show its end.
async function placeFromEnd(
  kernel: Kernel,
  sessionId: string,
  { last, bytes }: { readonly last: number; readonly bytes: number },
): Promise<OutputPlace> {
  let left = bytes;
  for (let run = last; run >= 1; run -= 1) {
    const folder = kernel.runDir(sessionId, run);
    const [out = 0, err = 0] = await Promise.all(
      ["out", "err"].map(async (name) => (await kernel.host.fs.stat(join(folder, name)))?.size ?? 0),
    );
    if (out + err >= left || run === 1) {
      return { run, offset: Math.max(0, out - left), errors: Math.max(0, err - left) };
    }
    left -= out + err;
  }
  return { run: 1, offset: 0, errors: 0 };
}

async function readText(
  kernel: Kernel,
  path: string,
  from: number,
): Promise<{ readonly text: string; readonly next: number }> {
  for (let at = from; ; ) {
    const bytes = await kernel.host.fs.readBytes(path, at, MAX_OUTPUT / 2);
    if (bytes === null || bytes.length === 0) return { text: "", next: at };
    const whole = wholeCharacters(bytes);
    at += whole;
    // The start of a long output was freed on disk and reads as zeros.
    const text = new TextDecoder().decode(bytes.subarray(0, whole)).replace(/^\0+/, "");
    if (text !== "" || whole === 0) return { text, next: at };
  }
}

// A multi-byte character may be cut at the end; it is read next time.
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** The command to open the session's terminal, if it has one. */
export async function attach(kernel: Kernel, sessionId: string): Promise<AttachView> {
  const session = requireSession(kernel, sessionId);
  const { terminal } = kernel.plugins.get("runtime", runtimeOfRun(session), "");
  if (terminal === undefined || session.run.state !== "alive" || isLeftBehind(session)) return { command: null };
  return {
    command: terminal.attachCommand({
      sessionId,
      run: session.run.n,
      runDir: kernel.runDir(sessionId, session.run.n),
    }),
  };
}

/** The session with this id. */
export function requireSession(kernel: Kernel, id: string): SessionState {
  const session = kernel.engine.loop.world.view.session(id);
  if (session === undefined) throw new AoError({ code: "session-unknown", message: `There is no session "${id}".` });
  return session;
}
