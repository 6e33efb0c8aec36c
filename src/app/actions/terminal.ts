import { dirname, join } from "node:path";
import { isLeftBehind, runtimeOfRun } from "../../core/session/state.ts";
import type { TerminalRun, TerminalSources } from "../../server/terminal/terminal-sources.ts";
import type { Kernel } from "../kernel.ts";

/** The terminals of a kernel's sessions, or their output if they have none. */
export function createTerminalSources(kernel: Kernel): TerminalSources {
  return {
    fs: kernel.host.fs,
    currentRun: async (sessionId): Promise<TerminalRun | null> => {
      const session = kernel.engine.loop.world.view.session(sessionId);
      // A starting session has neither a terminal nor output yet.
      if (session === undefined || session.run.n === 0 || session.run.state === "starting") return null;
      const { n: run, state } = session.run;
      const ref = { sessionId, run, runDir: kernel.runDir(sessionId, run) };
      const { terminal } = kernel.plugins.get("runtime", runtimeOfRun(session), "");
      const isAlive = state === "alive" && !isLeftBehind(session);
      if (terminal === undefined)
        return { run, isAlive, folder: ref.runDir, file: join(ref.runDir, "out"), connect: null };
      const file = await terminal.shownFile(ref);
      return { run, isAlive, folder: dirname(file), file, connect: (events) => terminal.connect(ref, events) };
    },
  };
}
