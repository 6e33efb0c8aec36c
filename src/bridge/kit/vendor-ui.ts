import type { Report } from "../driver.ts";
import type { Screen, ScreenChild, ScreenSpec } from "../screen.ts";

/** A vendor's own interface for people, as a second client of the server that we talk to. */
export interface VendorUi {
  /** Ends it and does not reopen it. Never rejects. */
  end(graceMs: number): Promise<void>;
}

export interface VendorUiOptions extends ScreenSpec {
  readonly screen: Screen;
  /** The program's display name. */
  readonly title: string;
  readonly report: Pick<Report, "left" | "gone">;
  isBusy(): boolean;
}

/**
 * Opens the interface on the terminal. It is only a view, and the turn continues without it: if a person closes it
 * during a turn, it reopens. Between turns, closing it ends the program.
 */
export function openVendorUi(options: VendorUiOptions): VendorUi {
  const { screen, title, report } = options;
  let isClosing = false;
  const run = (): ScreenChild => {
    const child = screen.run(options);
    void child.ended.then(({ how, code }) => {
      if (isClosing) return;
      if (code !== 0) report.gone(`The interface of ${title} is gone: ${how}`);
      else if (options.isBusy()) shown = run();
      else report.left(`${title} was closed in its terminal.`);
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
