import { AoError } from "../../core/errors.ts";
import { deriveWaitReason } from "../../core/session/wait-reason.ts";
import { isPaused, type World } from "../../core/world.ts";
import type { SESSION_MESSAGE_CALLS } from "../../protocol/calls/session-messages.ts";
import type { MessageView } from "../../protocol/views/session.ts";
import type { Actions } from "../actions.ts";
import { findSession } from "../find-session.ts";
import type { Handler, Handlers } from "../handler.ts";
import { toMessageView } from "../views.ts";

const MESSAGE_LIMIT_MS = 60_000;

/** What people send an agent: messages, answers, interrupts. */
export function createMessageHandlers(actions: Actions): Handlers<keyof typeof SESSION_MESSAGE_CALLS> {
  const { engine } = actions;
  const { world } = engine;
  const answer: Handler<"POST /api/sessions/:id/answer"> = ({ params: { id }, body, context }) =>
    actions.answer(id, body, context);
  return {
    "POST /api/sessions/:id/message": async ({ params: { id }, body, context }) => ({
      ...(await actions.sendMessage(id, body.content, context)),
      sessionId: id,
    }),
    "POST /api/sessions/:id/interrupt": async ({ params: { id }, context }) => ({
      ...(await actions.interrupt(id, context)),
      sessionId: id,
    }),
    "POST /api/sessions/:id/answer": answer,
    "POST /api/sessions/:id/permission": answer,
    "GET /api/sessions/:id/messages/:mid": async ({ params: { id, mid }, query: { wait = 0 } }) => {
      if (wait > 0) await engine.waitUntil(Math.min(wait, MESSAGE_LIMIT_MS), () => isSettled(world, id, mid));
      return showMessage(world, id, mid);
    },
    "DELETE /api/sessions/:id/messages/:mid": async ({ params: { id, mid }, context }) => {
      await actions.cancelMessage(id, mid, context);
      return showMessage(world, id, mid);
    },
  };
}

function showMessage(world: World, sessionId: string, messageId: string): MessageView {
  const session = findSession(world, sessionId);
  const message = session.messages.find((candidate) => candidate.id === messageId);
  if (message !== undefined) return toMessageView(message, session, world);
  throw new AoError({
    code: "message-unknown",
    message: `Session ${sessionId} has no message ${messageId}.`,
    hint: "Old ones are in `ao logs --timeline`.",
  });
}

// Delivered or undeliverable; or queued for a reason that only time or a person can resolve.
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
