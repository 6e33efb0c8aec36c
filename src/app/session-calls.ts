import { join } from "node:path";
import type { Host } from "../ports/host.ts";
import type { HomePaths } from "../protocol/home.ts";
import { type Handler, type Listening, listenForSession } from "./listen.ts";

/** One socket for each session in a sandbox, on which the daemon answers that session's own calls. */
export interface SessionCalls {
  /** Listens for a session, once; returns the folder that its sandbox mounts. */
  open(sessionId: string): Promise<string>;
  /** Ends that, and removes the folder. */
  close(sessionId: string): Promise<void>;
  /** From now on the sockets answer; also those of sessions that an earlier daemon started. */
  serve(handler: Handler, sessionIds: readonly string[]): Promise<Listening>;
}

/** Agents start while the daemon does, so folders can be opened before anything answers. */
export function createSessionCalls(host: Pick<Host, "fs" | "log">, paths: Pick<HomePaths, "sessions">): SessionCalls {
  const folderOf = (id: string): string => join(paths.sessions, id, "calls");
  const doors = new Map<string, Promise<Listening | null>>();
  const state: { handler: Handler | null } = { handler: null };

  const listen = async (handler: Handler, id: string): Promise<Listening | null> => {
    try {
      return await listenForSession(handler, folderOf(id), id);
    } catch (error) {
      // The agent works without; only its own `ao` reaches nobody.
      host.log.warn("a session's calls are not answered", { sessionId: id, reason: String(error) });
      return null;
    }
  };
  const open = async (id: string): Promise<string> => {
    const folder = folderOf(id);
    await host.fs.makeDir(folder, { mode: 0o700 });
    const { handler } = state;
    const door = doors.get(id) ?? (handler === null ? Promise.resolve(null) : listen(handler, id));
    doors.set(id, door);
    await door;
    return folder;
  };
  const shut = async (id: string): Promise<void> => {
    const door = doors.get(id);
    doors.delete(id);
    await (await door)?.close();
  };
  return {
    open,
    close: async (id) => {
      await shut(id);
      await host.fs.remove(folderOf(id));
    },
    serve: async (handler, sessionIds) => {
      state.handler = handler;
      const waiting = new Set([...sessionIds, ...doors.keys()]);
      doors.clear();
      for (const id of waiting) await open(id);
      return {
        port: null,
        close: async () => {
          state.handler = null;
          for (const id of [...doors.keys()]) await shut(id);
        },
      };
    },
  };
}
