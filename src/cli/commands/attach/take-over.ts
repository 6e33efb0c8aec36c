import { AoError } from "../../../core/errors.ts";
import type { RuntimeName } from "../../../protocol/choices.ts";
import type { AttachView, SessionDetailView } from "../../../protocol/views/session.ts";
import type { Client } from "../../client/client.ts";
import { note } from "../../views/print.ts";
import { withLiveProgress } from "../../views/progress.ts";
import { pause, untilInterrupted } from "../../views/watch.ts";
import { hasTerminal, openTerminal } from "./open-terminal.ts";

const POLL_MS = 300;

/** Agents in these states open no terminal by themselves. */
const HOPELESS: ReadonlySet<string> = new Set(["stopping", "stopped", "exited", "failed", "workspace-missing"]);

/** Opens the agent's own interface on its conversation, and hands the session back when the person leaves it. */
export async function takeOver(client: Client, session: SessionDetailView): Promise<void> {
  const { id } = session;
  if (!hasTerminal()) {
    throw new AoError({
      code: "usage",
      message: "--takeover needs a terminal",
      hint: `\`ao attach ${id}\` follows its conversation, \`ao send ${id}\` sends a message.`,
    });
  }
  // One that an earlier takeover left in its terminal is there already, and is handed back by this one.
  const { movedFrom } = session.runtime === "tmux" ? session : await move(client, id, "tmux");
  // From here on no signal ends this command before the session is handed back.
  const signal = untilInterrupted();
  try {
    const terminal = await withLiveProgress(waitForTerminal(client, id, signal), () => describe(client, id));
    if (terminal !== null) openTerminal(terminal);
  } finally {
    if (movedFrom !== null) await handBack(client, id);
  }
}

function move(client: Client, id: string, runtime: RuntimeName): Promise<SessionDetailView> {
  return client.call("POST /api/sessions/:id/runtime", { params: { id }, input: { runtime } });
}

async function waitForTerminal(client: Client, id: string, signal: AbortSignal): Promise<AttachView["command"]> {
  while (!signal.aborted) {
    const { command } = await client.call("GET /api/sessions/:id/attach", { params: { id } });
    if (command !== null) return command;
    const { agentStatus, evidence } = await client.call("GET /api/sessions/:id", { params: { id } });
    if (HOPELESS.has(agentStatus)) {
      const hint = `\`ao status ${id}\` tells more.`;
      throw new AoError({ code: "session-state", message: `${id} is ${agentStatus}: ${evidence}`, hint });
    }
    await pause(POLL_MS, signal);
  }
  return null;
}

async function describe(client: Client, id: string): Promise<string> {
  const { agentStatus, evidence } = await client.call("GET /api/sessions/:id", { params: { id } });
  return `Moving ${id} to a terminal (${agentStatus}: ${evidence}) ...`;
}

// A session that was stopped meanwhile has nothing to hand back.
async function handBack(client: Client, id: string): Promise<void> {
  try {
    await move(client, id, "process");
    note(`Handed back; ${id} continues headless.`);
  } catch (error) {
    if (!(error instanceof AoError) || error.code !== "session-state") throw error;
    note(error.message);
  }
}
