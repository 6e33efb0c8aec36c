import type { Host } from "../../../ports/host.ts";
import type { RunRef, TerminalControl } from "../../../ports/runtime.ts";
import type { TmuxClient } from "../../../providers/tmux/client.ts";
import type { Keyboard, Pane } from "../../../providers/tmux/keyboard.ts";
import { connectTerminal } from "../../../providers/tmux/terminal-link.ts";
import { exactTarget, nameTmuxSession } from "./names.ts";
import { runFiles } from "./run-folder.ts";

/** Typing into, reading and attaching to the terminals of runs. */
export function createTerminal(host: Host, client: TmuxClient, keyboard: Keyboard): TerminalControl {
  const shownFile = async ({ runDir }: RunRef): Promise<string> => {
    const { out, screen } = runFiles(runDir);
    // A program that speaks the `lines` protocol next to its terminal has its lines in `out`.
    return (await host.fs.stat(screen)) === null ? out : screen;
  };
  return {
    shownFile,
    connect: async (ref, events) =>
      connectTerminal({ host, tmux: client }, { ...paneOf(ref), shown: await shownFile(ref) }, events),
    guard: (ref) => keyboard.guard(paneOf(ref)),
    type: (ref, text) => keyboard.type(paneOf(ref), text),
    attachCommand: (ref) => ({
      program: "env",
      // tmux refuses to nest while these are set.
      args: ["-u", "TMUX", "-u", "TMUX_PANE", "tmux", "-u", "-S", client.socket, "attach", "-t", paneOf(ref).target],
    }),
    capture: (ref) => keyboard.capture(paneOf(ref)),
  };
}

// A run without the lines protocol has its terminal's bytes as its output.
function paneOf(ref: RunRef): Pane {
  const { out, typing } = runFiles(ref.runDir);
  const title = `${ref.sessionId} (run ${ref.run})`;
  return { target: exactTarget(nameTmuxSession(ref)), title, typing, shown: out };
}
