import type { TerminalLink, TerminalSize } from "../../ports/runtime.ts";
import type { EngineView } from "../actions.ts";
import type { TerminalRun, TerminalSources } from "./terminal-sources.ts";

/** What the room shows now; nothing while an agent starts. */
export interface RoomView {
  readonly run: TerminalRun;
  /** Null: there is no usable terminal, or it is gone. */
  readonly link: TerminalLink | null;
}

/** One session's terminal with all its viewers. They share one connection, which ends with the last of them. */
export interface Room {
  now(): RoomView | null;
  size(): TerminalSize | null;
  /** The latest size wins, as in tmux itself. */
  resize(size: TerminalSize): void;
  leave(): void;
}

export interface RoomDeps {
  readonly sources: TerminalSources;
  readonly engine: Pick<EngineView, "world" | "subscribe">;
}

interface Shared {
  readonly sessionId: string;
  readonly viewers: Set<() => void>;
  view: RoomView | null;
  size: TerminalSize | null;
  wished: TerminalSize | null;
  stop: () => void;
}

/** The rooms of all sessions with viewers; `enter` adds a viewer, and calls `onChange` when there is news. */
export function createRooms(deps: RoomDeps): { enter(sessionId: string, onChange: () => void): Promise<Room> } {
  const rooms = new Map<string, { readonly shared: Shared; readonly ready: Promise<void> }>();
  const open = (sessionId: string): { readonly shared: Shared; readonly ready: Promise<void> } => {
    const shared: Shared = {
      sessionId,
      viewers: new Set(),
      view: null,
      size: null,
      wished: null,
      stop: () => undefined,
    };
    const room = { shared, ready: follow(shared, deps) };
    rooms.set(sessionId, room);
    return room;
  };
  return {
    enter: async (sessionId, onChange) => {
      const { shared, ready } = rooms.get(sessionId) ?? open(sessionId);
      // Each viewer counts, even with the same callback.
      const viewer = (): void => onChange();
      shared.viewers.add(viewer);
      await ready;
      return {
        now: () => shared.view,
        size: () => shared.size,
        resize: (size) => {
          shared.wished = size;
          shared.view?.link?.resize(size);
        },
        leave: () => {
          if (!shared.viewers.delete(viewer) || shared.viewers.size > 0) return;
          rooms.delete(sessionId);
          shared.stop();
        },
      };
    },
  };
}

/** Keeps a room on the session's current run. */
async function follow(shared: Shared, { sources, engine }: RoomDeps): Promise<void> {
  let isOver = false;
  let unwatch = (): void => undefined;
  let lane = Promise.resolve();
  const change = (): void => {
    for (const viewer of shared.viewers) viewer();
  };
  const isCurrent = (): boolean => {
    const run = engine.world.session(shared.sessionId)?.run;
    const { run: shown } = shared.view ?? {};
    return shown !== undefined && shown.run === run?.n && shown.isAlive === (run.state === "alive");
  };
  const look = async (): Promise<void> => {
    if (isOver || isCurrent()) return;
    const run = await sources.currentRun(shared.sessionId);
    if (isOver) return;
    shared.view?.link?.close();
    unwatch();
    unwatch = run === null ? () => undefined : sources.fs.watch(run.folder, change);
    shared.view = run === null ? null : { run, link: await connect(run, shared, change) };
    if (isOver) shared.stop();
    change();
  };
  const lookNext = (): Promise<void> => {
    lane = lane.then(look).catch(() => undefined);
    return lane;
  };
  const unsubscribe = engine.subscribe((events) => {
    if (events.some(({ stream }) => stream === `session:${shared.sessionId}`)) void lookNext();
  });
  shared.stop = () => {
    isOver = true;
    unsubscribe();
    unwatch();
    shared.view?.link?.close();
  };
  await lookNext();
}

async function connect(run: TerminalRun, shared: Shared, change: () => void): Promise<TerminalLink | null> {
  if (run.connect === null || !run.isAlive) return null;
  const link = await run
    .connect({
      size: (size) => {
        shared.size = size;
        change();
      },
      end: () => {
        if (shared.view?.run === run) shared.view = { run, link: null };
        change();
      },
    })
    // Its log can still be read.
    .catch(() => null);
  if (shared.wished !== null) link?.resize(shared.wished);
  return link;
}
