import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { widthOf } from "../../src/cli/views/text-width.ts";
import { until } from "./until.ts";

export interface Pane {
  /** Of the tmux server, which ends with the last program in it. */
  readonly socket: string;
  /** The rows as they are shown now, without colors. */
  rows(): readonly string[];
  /** Presses keys by tmux's names, one after the other. */
  press(...keys: readonly string[]): void;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Waits until the screen matches, and gives it. */
  see(what: RegExp): Promise<string>;
  gone(what: RegExp): Promise<string>;
  /** Any format of tmux, such as `#{pane_title}`. */
  ask(format: string): string;
}

export interface PaneOptions {
  readonly dir: string;
  readonly columns: number;
  readonly rows: number;
  readonly env: Readonly<Record<string, string>>;
  readonly command: string;
  readonly cwd?: string;
}

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

/** A real terminal of so many columns and rows, on a tmux server of its own that ends with the test. */
export function openPane(options: PaneOptions): Pane {
  const socket = join(options.dir, "tmux.sock");
  const tmux = (...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8", TMUX: "" },
    });
    expect(status, `tmux ${args.join(" ")}: ${stderr}`).toBe(0);
    return stdout;
  };
  const size = ["-x", String(options.columns), "-y", String(options.rows)];
  const env = Object.entries(options.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  tmux("new-session", "-d", "-s", "t", ...size, ...env, "-c", options.cwd ?? options.dir, options.command);
  tmux("set-option", "-g", "status", "off");
  tmux("set-option", "-g", "window-size", "manual");
  tmux("resize-window", "-t", "t", ...size);
  onTestFinished(() => void spawnSync("tmux", ["-S", socket, "kill-server"]));
  const rows = (): readonly string[] => tmux("capture-pane", "-p", "-t", "t").replace(/\n$/, "").split("\n");
  const wait = async (what: string, test: (text: string) => boolean): Promise<string> => {
    let text = "";
    try {
      await until(what, () => {
        text = rows().join("\n");
        return test(text);
      });
    } catch (error) {
      throw new Error(`${String(error)}\nThe screen:\n${text}`);
    }
    return text;
  };
  return {
    socket,
    rows,
    press: (...keys) => void tmux("send-keys", "-t", "t", ...keys),
    type: (text) => void tmux("send-keys", "-t", "t", "-l", text),
    resize: (columns, height) => void tmux("resize-window", "-t", "t", "-x", String(columns), "-y", String(height)),
    see: (what) => wait(`the screen to show ${what}`, (text) => what.test(text)),
    gone: (what) => wait(`${what} to leave the screen`, (text) => !what.test(text)),
    ask: (format) => tmux("display-message", "-p", "-t", "t", format).trim(),
  };
}

/** Nothing is wider or taller than the terminal. */
export function expectToFit(rows: readonly string[], columns: number, height: number): void {
  expect(rows.length).toBeLessThanOrEqual(height);
  for (const row of rows) expect(widthOf(row), row).toBeLessThanOrEqual(columns);
}
