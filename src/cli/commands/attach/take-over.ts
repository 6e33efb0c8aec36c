import { AoError } from "../../../core/errors.ts";
import type { RuntimeName } from "../../../protocol/choices.ts";
import type { AttachView, SessionDetailView } from "../../../protocol/views/session.ts";
import type { Client } from "../../client/client.ts";
import { followSessionDetail } from "../../client/live-detail.ts";
import { note } from "../../views/print.ts";
import { withLiveProgress } from "../../views/progress.ts";
import { untilInterrupted } from "../../views/watch.ts";
import { hasTerminal, openTerminal } from "./open-terminal.ts";

/** Agents in these states do not open a terminal by themselves. */
const HOPELESS: ReadonlySet<string> = new Set(["stopping", "stopped", "exited", "failed", "workspace-missing"]);

/** Opens the agent's own interface on its conversation, and hands the session back when the person leaves. */
export async function takeOver(client: Client, session: SessionDetailView): Promise<void> {
  const { id } = session;
  if (!hasTerminal()) {
    throw new AoError({
      code: "usage",
      message: "--takeover needs a terminal",
      hint: `\`ao attach ${id}\` follows its conversation, \`ao send ${id}\` sends a message.`,
    });
  }
  // A session that an earlier takeover left in its terminal is already there; this one hands it back.
  const { movedFrom } = session.runtime === "tmux" ? session : await move(client, id, "tmux");
  // From here on no signal ends this command before the session is handed back.
  const signal = untilInterrupted();
  try {
    let shown = "";
    const seen = (text: string): void => {
      shown = text;
    };
    const terminal = await withLiveProgress(waitForTerminal(client, { id, signal, onSeen: seen }), async () => shown);
    if (terminal !== null) openTerminal(terminal);
  } finally {
    if (movedFrom !== null) await handBack(client, id);
  }
}

function move(client: Client, id: string, runtime: RuntimeName): Promise<SessionDetailView> {
  return client.call("POST /api/sessions/:id/runtime", { params: { id }, input: { runtime } });
}

async function waitForTerminal(
  client: Client,
  { id, signal, onSeen }: { readonly id: string; readonly signal: AbortSignal; onSeen(text: string): void },
): Promise<AttachView["command"]> {
  for await (const { agentStatus, evidence } of followSessionDetail(client, id, signal)) {
    onSeen(`Moving ${id} to a terminal (${agentStatus}: ${evidence}) ...`);
    const { command } = await client.call("GET /api/sessions/:id/attach", { params: { id } });
    if (command !== null) return command;
    if (HOPELESS.has(agentStatus)) {
      const hint = `\`ao status ${id}\` shows more.`;
      throw new AoError({ code: "session-state", message: `${id} is ${agentStatus}: ${evidence}`, hint });
    }
  }
  return null;
}

// A session that was stopped meanwhile need not be handed back.
async function handBack(client: Client, id: string): Promise<void> {
  try {
    await move(client, id, "process");
    note(`Handed back; ${id} continues headless.`);
  } catch (error) {
    if (!(error instanceof AoError) || error.code !== "session-state") throw error;
    note(error.message);
  }
}
