import { spawn } from "node:child_process";
import { AoError } from "../../core/errors.ts";
import type { Client } from "../client/client.ts";
import type { Style } from "../views/style.ts";
import { act } from "./act.ts";
import { createTextReader, type TextReader } from "./read-text.ts";
import type { Screen } from "./screen.ts";
import type { Action, BoardEffect, BoardEvent } from "./state.ts";

export interface EffectsOptions {
  readonly client: Client;
  readonly screen: Screen;
  readonly tell: (event: BoardEvent) => void;
  readonly paint: Style;
  readonly quit: () => void;
  readonly refresh: () => void;
  /** Is this session's conversation on the screen? */
  readonly isReading: (sessionId: string) => boolean;
}

/** Performs the board's effects, and reports their results to it. */
export function createEffects(options: EffectsOptions): { run(effect: BoardEffect): void } {
  const { client, screen, tell, paint, quit, refresh } = options;
  const texts = createTextReader(client, paint, () => screen.size().columns - 2);
  const detail = createDetailReader(client, tell);
  const follow = createTranscriptFollower(texts, options);
  const fail = (cause: unknown): void => tell({ type: "said", notice: { tone: "error", text: describe(cause) } });
  // What the board reads by itself is read again once the daemon is back; the board already shows that it is gone.
  const failQuietly = (cause: unknown): void => {
    if (!(cause instanceof AoError && cause.code === "daemon-unreachable")) fail(cause);
  };

  const read = async (what: "transcript" | "diff", sessionId: string): Promise<void> => {
    const lines = await texts[what](sessionId);
    tell({ type: "read", what, sessionId, lines });
    if (what === "transcript") void follow(sessionId).catch(failQuietly);
  };
  const perform = async (action: Action): Promise<void> => {
    const text = await act(client, action, process.cwd());
    tell({ type: "said", notice: { tone: "info", text } });
    refresh();
  };
  const projects = async (): Promise<void> => {
    const { data } = await client.call("GET /api/projects");
    tell({ type: "projects", projects: data.map(({ id, path }) => ({ id, path })) });
  };

  const run = (effect: BoardEffect): Promise<void> | void => {
    switch (effect.type) {
      case "quit":
        return quit();
      case "suspend":
        return suspend(screen, () => tell({ type: "resized", size: screen.size() }));
      case "redraw":
        return screen.forget();
      case "list":
        return refresh();
      case "bell":
        return screen.bell();
      case "projects":
        return projects().catch(failQuietly);
      case "detail":
        return detail(effect.sessionId).catch(failQuietly);
      case "read":
        return read(effect.what, effect.sessionId);
      case "attach":
        return attach(effect.sessionId, options);
      case "act":
        return perform(effect.action);
    }
  };
  return { run: (effect) => void Promise.resolve(run(effect)).catch(fail) };
}

/** Sends the board new conversation items while they are on the screen. */
function createTranscriptFollower(
  texts: TextReader,
  { isReading, tell }: Pick<EffectsOptions, "isReading" | "tell">,
): (sessionId: string) => Promise<void> {
  let followed: string | null = null;
  return async (sessionId) => {
    if (followed === sessionId) return;
    followed = sessionId;
    try {
      while (isReading(sessionId) && (await texts.untilMore(sessionId)) && isReading(sessionId)) {
        tell({ type: "read", what: "transcript", sessionId, lines: await texts.transcript(sessionId) });
      }
    } finally {
      if (followed === sessionId) followed = null;
    }
  };
}

// While the cursor moves down the list, only the row where it stops is worth reading.
function createDetailReader(client: Client, tell: EffectsOptions["tell"]): (sessionId: string) => Promise<void> {
  let wanted: string | null = null;
  let isReading = false;
  return async (sessionId) => {
    wanted = sessionId;
    if (isReading) return;
    isReading = true;
    try {
      while (wanted !== null) {
        const id: string = wanted;
        wanted = null;
        tell({ type: "detailed", detail: await client.call("GET /api/sessions/:id", { params: { id } }) });
      }
    } finally {
      isReading = false;
    }
  };
}

async function attach(sessionId: string, { screen, tell, refresh }: EffectsOptions): Promise<void> {
  screen.leave();
  try {
    await runAttach(sessionId);
  } finally {
    screen.enter();
    tell({ type: "resized", size: screen.size() });
    refresh();
  }
}

// Ctrl+C there is meant for the agent's terminal or transcript, but reaches the whole process group.
async function runAttach(sessionId: string): Promise<void> {
  const ignore = (): void => undefined;
  process.on("SIGINT", ignore);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn(process.execPath, [process.argv[1] ?? "", "attach", sessionId], { stdio: "inherit" });
      child.on("error", reject);
      child.on("exit", resolve);
    });
    if (code !== 0 && code !== null && code < 128) {
      throw new AoError({
        code: "session-state",
        message: `ao attach ${sessionId} failed.`,
        hint: "Try it in a shell.",
      });
    }
  } finally {
    process.off("SIGINT", ignore);
  }
}

function suspend(screen: Screen, onReturn: () => void): void {
  screen.leave();
  process.once("SIGCONT", () => {
    screen.enter();
    onReturn();
  });
  process.kill(process.pid, "SIGTSTP");
}

function describe(cause: unknown): string {
  if (cause instanceof AoError) return cause.hint === undefined ? cause.message : `${cause.message} (${cause.hint})`;
  return cause instanceof Error ? cause.message : String(cause);
}
