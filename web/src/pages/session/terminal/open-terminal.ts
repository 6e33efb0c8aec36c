import { FitAddon } from "@xterm/addon-fit";
import { type ITheme, Terminal } from "@xterm/xterm";
import { createTerminalLink, type LinkState, type Socket, type TerminalLink } from "./terminal-link.ts";

/** With more unshown bytes than this, the page drops the connection until it has caught up. */
const MAX_WAITING = 4_000_000;
const FEW_WAITING = 200_000;
/** This much output at once is worth using the GPU. */
const HEAVY = 2_000_000;

export interface TerminalEvents {
  readonly onState: (state: LinkState) => void;
  readonly onInput: (input: { readonly isAllowed: boolean; readonly reason: string | null }) => void;
  readonly onSize: (size: string) => void;
}

export interface OpenTerminal {
  focus(): void;
  type(keys: string): void;
  close(): void;
}

/** Shows a session's terminal in an element until it is closed. */
export function openTerminal(element: HTMLElement, sessionId: string, events: TerminalEvents): OpenTerminal {
  const terminal = new Terminal({
    fontFamily: '"IBM Plex Mono", ui-monospace, monospace',
    fontSize: 12.5,
    lineHeight: 1.2,
    scrollback: 5000,
    theme: readTheme(),
    screenReaderMode: false,
    // A program may print a link, but only a click opens it, and only one to the web.
    linkHandler: {
      activate: (_, address) => {
        if (/^https?:\/\//i.test(address)) window.open(address, "_blank", "noopener,noreferrer");
      },
    },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(element);
  const waiting = createWaiting(terminal);
  const link = createTerminalLink({
    ...events,
    open: (cursor) => openSocket(sessionId, cursor),
    onBytes: (bytes) => waiting.write(bytes, link),
    onClear: () => terminal.reset(),
    onSize: (columns, rows) => {
      terminal.resize(columns, rows);
      events.onSize(`${columns} × ${rows}`);
    },
    later: (ms, act) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  });
  terminal.onData(link.type);
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.key !== "Escape" || !event.ctrlKey) return true;
    terminal.blur();
    return false;
  });
  const stopFitting = keepFitting(element, fit, link);
  const stopWatching = watchVisibility(link);
  return {
    focus: () => terminal.focus(),
    type: link.type,
    close: () => {
      stopFitting();
      stopWatching();
      link.close();
      terminal.dispose();
    },
  };
}

function openSocket(sessionId: string, cursor: string | null): Socket {
  const address = new URL(`/api/sessions/${encodeURIComponent(sessionId)}/terminal`, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  if (cursor !== null) address.searchParams.set("cursor", cursor);
  return new WebSocket(address) as Socket;
}

/** Counts what the terminal has not drawn yet, so that endless output cannot fill the memory. */
function createWaiting(terminal: Terminal): { write(bytes: Uint8Array, link: TerminalLink): void } {
  let count = 0;
  let isHeavy = false;
  return {
    write: (bytes, link) => {
      count += bytes.length;
      if (count > HEAVY && !isHeavy) {
        isHeavy = true;
        void drawFast(terminal);
      }
      const isTooMuch = count > MAX_WAITING;
      if (isTooMuch) link.pause();
      terminal.write(bytes, () => {
        count -= bytes.length;
        if (count < FEW_WAITING) link.resume();
      });
    },
  };
}

async function drawFast(terminal: Terminal): Promise<void> {
  const { WebglAddon } = await import("@xterm/addon-webgl");
  try {
    const addon = new WebglAddon();
    addon.onContextLoss(() => addon.dispose());
    terminal.loadAddon(addon);
  } catch {
    // Without a GPU it stays as is.
  }
}

/** Fits the terminal to its element; the daemon then reports the actual size. */
function keepFitting(element: HTMLElement, fit: FitAddon, link: TerminalLink): () => void {
  const measure = (): void => {
    const size = fit.proposeDimensions();
    if (size !== undefined && size.cols >= 2 && size.rows >= 2) link.resize(size.cols, size.rows);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  measure();
  return () => observer.disconnect();
}

function watchVisibility(link: TerminalLink): () => void {
  const change = (): void => (document.hidden ? link.pause() : link.resume());
  document.addEventListener("visibilitychange", change);
  return () => document.removeEventListener("visibilitychange", change);
}

/** The page's tokens as terminal colors. */
function readTheme(): ITheme {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    background: token("sunk"),
    foreground: token("ink"),
    cursor: token("ink"),
    cursorAccent: token("sunk"),
    selectionBackground: token("line-mid"),
    black: token("line-mid"),
    red: token("bad"),
    green: token("good"),
    yellow: token("you"),
    blue: token("live"),
    magenta: token("live"),
    cyan: token("live"),
    white: token("ink-2"),
    brightBlack: token("ink-3"),
    brightRed: token("bad"),
    brightGreen: token("good"),
    brightYellow: token("you"),
    brightBlue: token("live"),
    brightMagenta: token("live"),
    brightCyan: token("live"),
    brightWhite: token("ink"),
  };
}
