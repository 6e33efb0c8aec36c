import { AoError } from "../../core/errors.ts";
import { callerEnvironment } from "../client/caller-environment.ts";
import type { Client } from "../client/client.ts";
import type { Action } from "./state.ts";

/** Performs a person's action, and returns a sentence with the result. */
export async function act(client: Client, action: Action, cwd: string): Promise<string> {
  switch (action.kind) {
    case "new":
      return startTask(client, action, cwd);
    case "answer":
      return answer(client, action);
    case "message": {
      const { sessionId, text } = action;
      await client.call("POST /api/sessions/:id/message", { params: { id: sessionId }, input: { content: text } });
      return `Message to ${sessionId} queued; the agent gets it next.`;
    }
    case "approve": {
      const { sessionId, head } = action;
      const pull = await client.call("POST /api/sessions/:id/approve", { params: { id: sessionId }, input: { head } });
      return `Approved #${pull.number}.${waitsFor(pull.blockers)}`;
    }
    case "request-changes": {
      const { sessionId, head, text } = action;
      const input = { verdict: "request-changes", body: text, head } as const;
      const pull = await client.call("POST /api/sessions/:id/review", { params: { id: sessionId }, input });
      return `Requested changes on #${pull.number}.`;
    }
    case "merge": {
      const { sessionId } = action;
      const pull = await client.call("POST /api/sessions/:id/merge", { params: { id: sessionId }, input: {} });
      return pull.phase === "merged"
        ? `Merged #${pull.number}.`
        : `Merge of #${pull.number} requested.${waitsFor(pull.blockers)}`;
    }
    case "stop": {
      const { sessionId } = action;
      await client.call("DELETE /api/sessions/:id", { params: { id: sessionId }, input: { wait: true } });
      return `Stopped ${sessionId}. v lists stopped sessions, R restores one.`;
    }
    case "restore": {
      const { sessionId } = action;
      await client.call("POST /api/sessions/:id/restore", { params: { id: sessionId }, input: {} });
      return `Restoring ${sessionId}.`;
    }
  }
}

// The question may have changed since it was read; nobody may answer a question they have not seen.
async function answer(client: Client, action: Extract<Action, { kind: "answer" }>): Promise<string> {
  const { sessionId, questionId, choice } = action;
  const { question } = await client.call("GET /api/sessions/:id", { params: { id: sessionId } });
  if (question?.id !== questionId) {
    throw new AoError({ code: "question-unknown", message: "That question is no longer open; nothing was sent." });
  }
  await client.call("POST /api/sessions/:id/permission", { params: { id: sessionId }, input: { choice } });
  return `Answered ${sessionId}: ${choice}`;
}

async function startTask(client: Client, action: Extract<Action, { kind: "new" }>, cwd: string): Promise<string> {
  const { projectId, title: text } = action;
  const [title = "", ...rest] = text.split("\n");
  const prompt = rest.join("\n").trim() === "" ? {} : { prompt: text };
  const input = { projectId, title: title.trim(), ...prompt, cwd, env: await callerEnvironment(client) };
  const session = await client.call("POST /api/sessions", { input });
  return `Started ${session.id}.`;
}

function waitsFor(blockers: readonly string[]): string {
  return blockers.length === 0 ? "" : ` Waiting for: ${blockers.join(", ")}.`;
}
