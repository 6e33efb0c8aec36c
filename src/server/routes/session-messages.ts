import { AoError } from "../../core/errors.ts";
import { deriveWaitReason } from "../../core/session/wait-reason.ts";
import { isPaused, type World } from "../../core/world.ts";
import type { Actions } from "../actions.ts";
import type { App } from "../app.ts";
import { Answer, Nothing, readBody, SendMessage } from "../bodies.ts";
import { findSession } from "../find-session.ts";
import { toMessageView } from "../views.ts";

const MESSAGE_LIMIT_MS = 60_000;

/** What people tell an agent: messages, answers, interrupts. */
export function addMessageRoutes(app: App, actions: Actions): void {
  const { engine } = actions;
  const { world } = engine;

  app.post("/api/sessions/:id/message", async (c) => {
    const { content } = await readBody(c.req, SendMessage);
    const { id } = findSession(world, c.req.param("id"));
    const sent = await actions.sendMessage(id, content, { key: c.req.header("idempotency-key") });
    return c.json({ ...sent, sessionId: id }, 202);
  });

  app.post("/api/sessions/:id/interrupt", async (c) => {
    await readBody(c.req, Nothing);
    const { id } = findSession(world, c.req.param("id"));
    const asked = await actions.interrupt(id, { key: c.req.header("idempotency-key") });
    return c.json({ ...asked, sessionId: id }, 202);
  });

  for (const path of ["/api/sessions/:id/permission", "/api/sessions/:id/answer"] as const) {
    app.post(path, async (c) => {
      const given = await readBody(c.req, Answer);
      const { id } = findSession(world, c.req.param("id"));
      return c.json(await actions.answer(id, given, { key: c.req.header("idempotency-key") }));
    });
  }

  app.get("/api/sessions/:id/messages/:mid", async (c) => {
    const { id } = findSession(world, c.req.param("id"));
    const mid = c.req.param("mid");
    const limit = Math.min(Number(c.req.query("wait") ?? 0) || 0, MESSAGE_LIMIT_MS);
    if (limit > 0) await engine.waitUntil(limit, () => isSettled(world, id, mid));
    const session = findSession(world, id);
    const message = session.messages.find((candidate) => candidate.id === mid);
    if (message === undefined) {
      throw new AoError({
        code: "message-unknown",
        message: `Session ${id} has no message ${mid}.`,
        hint: "Old ones are in `ao logs --timeline`.",
      });
    }
    return c.json(toMessageView(message, session, world));
  });
}

// Delivered or beyond delivery; or queued for a reason that only time or a person can take away.
function isSettled(world: World, sessionId: string, messageId: string): boolean {
  const session = world.session(sessionId);
  const message = session?.messages.find((candidate) => candidate.id === messageId);
  if (session === undefined || message === undefined) return true;
  switch (message.status) {
    case "queued":
      return deriveWaitReason(session, message, { paused: isPaused(world, session.projectId) })?.lasts === true;
    case "started":
      return message.reason !== null;
    case "written":
      return session.input === "terminal" || message.reason !== null;
    default:
      return true;
  }
}
