import type { Report } from "../../driver.ts";
import type { Screen, ScreenChild, ScreenSpec } from "../../screen.ts";

/** The program's own interface for people, beside us on the same thread. */
export interface Interface {
  /** Ends it, and does not open it again. Never rejects. */
  end(graceMs: number): Promise<void>;
}

export interface InterfaceOptions extends Pick<ScreenSpec, "program" | "cwd" | "env"> {
  readonly screen: Screen;
  /** Arguments that come before ours. */
  readonly leading: readonly string[];
  /** The server's socket. */
  readonly path: string;
  readonly threadId: string;
  readonly report: Pick<Report, "left" | "gone">;
  isBusy(): boolean;
}

/** Nothing that would ask a person before the thread is shown, and no process that stays. */
const QUIET = ["check_for_update_on_startup=false", "features.daemon_auto_start=false"];

/**
 * Opens the interface on the terminal. It is a window, and the turn goes on without it: one that a person closes in the middle
 * of a turn is opened again. Between turns this closes the program.
 */
export function openInterface(options: InterfaceOptions): Interface {
  const { screen, program, cwd, env, report } = options;
  const args = [...options.leading, "resume", "--remote", `unix://${options.path}`, options.threadId];
  const quiet = QUIET.flatMap((setting) => ["-c", setting]);
  let isClosing = false;
  const run = (): ScreenChild => {
    const child = screen.run({ program, args: [...args, ...quiet], cwd, env });
    void child.ended.then(({ how, code }) => {
      if (isClosing) return;
      if (code !== 0) report.gone(`The interface of Codex is gone: ${how}`);
      else if (options.isBusy()) shown = run();
      else report.left("Codex was closed in its terminal.");
    });
    return child;
  };
  let shown = run();
  return {
    end: async (graceMs) => {
      isClosing = true;
      await shown.end(graceMs);
    },
  };
}
