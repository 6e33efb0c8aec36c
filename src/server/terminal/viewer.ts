import type { TerminalScreen } from "../../ports/runtime.ts";
import type { TerminalFrame } from "../../protocol/views/terminal.ts";
import type { WakeUp } from "../wake-up.ts";
import { createOutputFilter, type OutputFilter } from "./output-filter.ts";
import type { Room, RoomView } from "./room.ts";
import type { TerminalSources } from "./terminal-sources.ts";

/** The other side. `send` resolves once the bytes have left, so that nothing piles up here. */
export interface ViewerSocket {
  send(data: Uint8Array | string): Promise<void>;
  isOpen(): boolean;
}

export interface Place {
  readonly run: number;
  readonly offset: number;
}

export interface ViewerOptions {
  readonly room: Room;
  readonly socket: ViewerSocket;
  readonly fs: TerminalSources["fs"];
  readonly wakeUp: WakeUp;
  /** Where it was; null: it starts with the current screen. */
  readonly from: Place | null;
  /** Why it may not type; null: it may. */
  readonly readOnly: string | null;
}

/** The size of one read. */
const CHUNK = 64 * 1024;
/** A viewer that is further behind gets a fresh screen instead. */
const MAX_BEHIND = 1024 * 1024;
/** For output without a terminal, only this much of its end is shown. */
const TAIL = 256 * 1024;
/** The pause after a full chunk, and between fresh screens: about 2.5 MB/s, whatever the program prints. */
const PAUSE_MS = 25;
const SCREEN_MS = 500;
/** After this silence, a screen that was drawn during output is redrawn. */
const SETTLED_MS = 300;
const IDLE_MS = 60_000;
const TRIES = 3;

interface Viewer extends ViewerOptions {
  place: Place | null;
  filter: OutputFilter;
  /** Was the last screen drawn between two outputs, so that log and screen match exactly? */
  isExact: boolean;
  drawnAt: number;
  shownSize: string;
  shownInput: string;
  hasEnded: boolean;
}

/** Parses the place that a viewer got earlier. */
export function parseCursor(written: string | null): Place | null {
  const [, run, offset] = /^(\d{1,9}):(\d{1,15})$/.exec(written ?? "") ?? [];
  return run === undefined ? null : { run: Number(run), offset: Number(offset) };
}

/** Shows a session's terminal to one viewer until the viewer leaves. */
export async function runViewer(options: ViewerOptions): Promise<void> {
  const viewer: Viewer = {
    ...options,
    place: options.from,
    filter: createOutputFilter(),
    isExact: true,
    drawnAt: Number.NEGATIVE_INFINITY,
    shownSize: "",
    shownInput: "",
    hasEnded: false,
  };
  while (viewer.socket.isOpen()) {
    const view = viewer.room.now();
    await tellInput(viewer, view);
    await tellSize(viewer);
    if (view === null || !(await showMore(viewer, view)))
      await viewer.wakeUp.wait(viewer.isExact ? IDLE_MS : SETTLED_MS);
  }
}

/** Why typing is not possible now; null: it is. */
function whyNoInput(view: RoomView | null): string | null {
  if (view === null) return "the agent has not started yet";
  if (!view.run.isAlive) return "the agent's process has ended";
  return view.link === null ? "no terminal: this is the agent's output" : null;
}

async function tellInput(viewer: Viewer, view: RoomView | null): Promise<void> {
  const reason = viewer.readOnly ?? whyNoInput(view);
  const frame = { type: "input", allowed: reason === null, reason } as const;
  if (viewer.shownInput === JSON.stringify(frame)) return;
  viewer.shownInput = JSON.stringify(frame);
  await tell(viewer, frame);
}

/** Sends what there is; false: the viewer is up to date. */
async function showMore(viewer: Viewer, view: RoomView): Promise<boolean> {
  const { run } = view;
  const size = (await viewer.fs.stat(run.file))?.size ?? 0;
  const reason = whyScreen(viewer, run.run, size);
  if (reason !== null) {
    await pauseUntil(reason === "behind" ? viewer.drawnAt + SCREEN_MS : 0);
    await showScreen(viewer, view, reason);
    return true;
  }
  const { offset } = viewer.place as Place;
  const bytes = (await viewer.fs.readBytes(run.file, offset, CHUNK)) ?? new Uint8Array();
  if (bytes.length === 0) return rest(viewer, view);
  await showBytes(viewer, bytes, { run: run.run, offset: offset + bytes.length });
  if (bytes.length === CHUNK) await pauseUntil(performance.now() + PAUSE_MS);
  return true;
}

type ScreenReason = Extract<TerminalFrame, { type: "screen" }>["reason"];

function whyScreen({ place }: Viewer, run: number, size: number): ScreenReason | null {
  if (place === null) return "first";
  if (place.run !== run) return "new-run";
  if (place.offset > size) return "log-gone";
  return size - place.offset > MAX_BEHIND ? "behind" : null;
}

/** There is nothing new: redraws a screen that may not match the log, and reports the end. */
async function rest(viewer: Viewer, view: RoomView): Promise<boolean> {
  if (!viewer.isExact && performance.now() - viewer.drawnAt >= SETTLED_MS) {
    await showScreen(viewer, view, "settled");
    return true;
  }
  if (!view.run.isAlive && !viewer.hasEnded) {
    viewer.hasEnded = true;
    await tell(viewer, { type: "end", reason: "the agent's process has ended" });
  }
  return false;
}

async function showScreen(viewer: Viewer, { run, link }: RoomView, reason: ScreenReason): Promise<void> {
  const sizeNow = async (): Promise<number> => (await viewer.fs.stat(run.file))?.size ?? 0;
  let offset = await sizeNow();
  let screen: TerminalScreen | null = null;
  viewer.isExact = false;
  for (let attempt = 1; link !== null && !viewer.isExact && attempt <= TRIES; attempt += 1) {
    offset = await sizeNow();
    screen = await link.screen().catch(() => null);
    viewer.isExact = screen === null || (await sizeNow()) === offset;
  }
  if (screen !== null) await tellSize(viewer, screen.size);
  else {
    offset = Math.max(0, offset - TAIL);
    viewer.isExact = true;
  }
  viewer.filter = createOutputFilter();
  viewer.hasEnded = false;
  viewer.drawnAt = performance.now();
  await tell(viewer, { type: "screen", reason });
  const drawn = createOutputFilter().push(new TextEncoder().encode(screen?.drawing ?? ""));
  await showBytes({ ...viewer, filter: PASS }, drawn, { run: run.run, offset });
  viewer.place = { run: run.run, offset };
}

const PASS: OutputFilter = { push: (bytes) => bytes, held: () => 0 };

async function showBytes(viewer: Viewer, bytes: Uint8Array, place: Place): Promise<void> {
  const shown = viewer.filter.push(bytes);
  viewer.place = place;
  if (shown.length > 0) await viewer.socket.send(shown);
  // Whoever continues from here reads an incomplete sequence again.
  await tell(viewer, { type: "cursor", cursor: `${place.run}:${place.offset - viewer.filter.held()}` });
}

async function tellSize(viewer: Viewer, size = viewer.room.size()): Promise<void> {
  if (size === null || viewer.shownSize === `${size.columns}x${size.rows}`) return;
  viewer.shownSize = `${size.columns}x${size.rows}`;
  await tell(viewer, { type: "size", ...size });
}

function tell(viewer: Viewer, frame: TerminalFrame): Promise<void> {
  return viewer.socket.send(JSON.stringify(frame));
}

async function pauseUntil(at: number): Promise<void> {
  const ms = at - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
