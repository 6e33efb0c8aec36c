import { countSessions } from "../../protocol/fleet-order.ts";
import { connect } from "../client/client.ts";
import { fetchHealth } from "../client/fetch-health.ts";
import { style } from "../views/style.ts";
import { startFeed } from "./feed.ts";
import { renderBoard } from "./render.ts";
import { createEffects } from "./run-effects.ts";
import { createScreen, type Screen } from "./screen.ts";
import { type BoardEvent, type BoardState, initialBoard } from "./state.ts";
import { updateBoard } from "./update.ts";

/** The screen shows session ages, so it changes even if nothing happens. */
const TICK_MS = 1000;

/** Shows the live board until the person leaves it; always restores the terminal. */
export async function runBoard(): Promise<void> {
  // Starts the daemon if it is not running. Later, a daemon that was stopped on purpose stays stopped.
  await fetchHealth(connect());
  const client = connect({ start: false });
  const stop = new AbortController();
  const paint = style(process.stdout);
  let state: BoardState = initialBoard({ columns: 80, rows: 24 }, process.cwd());
  let isDrawing = false;
  const draw = (): void => {
    if (isDrawing) return;
    isDrawing = true;
    setImmediate(() => {
      isDrawing = false;
      screen.draw(renderBoard(state, { now: Date.now(), style: paint }));
    });
  };
  const tell = (event: BoardEvent): void => {
    const before = state;
    const step = updateBoard(state, event);
    state = step.state;
    if (before.sessions !== state.sessions) showTitle(screen, state);
    for (const effect of step.effects) effects.run(effect);
    draw();
  };
  const screen = createScreen(process.stdin, process.stdout, {
    key: (key) => tell({ type: "key", key }),
    resize: (size) => tell({ type: "resized", size }),
  });
  state = { ...state, size: screen.size() };
  const effects = createEffects({
    client,
    screen,
    tell,
    paint,
    quit: () => stop.abort(),
    refresh: () => feed.refresh(),
    isReading: (sessionId) => state.mode.kind === "read" && state.mode.reading.sessionId === sessionId,
  });
  const ended = untilOver(stop, screen);
  screen.enter();
  const feed = startFeed({ client, signal: stop.signal, tell, showStopped: () => state.showStopped });
  effects.run({ type: "projects" });
  const tick = setInterval(draw, TICK_MS);
  draw();
  try {
    await ended;
  } finally {
    clearInterval(tick);
    stop.abort();
    screen.leave();
  }
}

function showTitle(screen: Screen, { sessions }: BoardState): void {
  const { needYou } = countSessions(sessions);
  screen.title(needYou === 0 ? "ao" : `ao: ${needYou} need${needYou === 1 ? "s" : ""} you`);
}

// A key, a signal or an uncaught error ends the board; each restores the terminal first.
async function untilOver(stop: AbortController, screen: Screen): Promise<void> {
  process.once("exit", () => screen.leave());
  for (const [name, code] of [
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.once(name, () => {
      screen.leave();
      process.exit(code);
    });
  }
  await new Promise<void>((resolve, reject) => {
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
    process.once("uncaughtException", reject);
    process.once("unhandledRejection", reject);
  });
}
