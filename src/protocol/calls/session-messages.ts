import { z } from "zod";
import { NothingBody } from "../bodies/daemon.ts";
import { AnswerBody, MessageBody } from "../bodies/session.ts";
import { MessageView } from "../views/session.ts";
import { type CallSpec, type CallTable, count } from "./call.ts";
import { reading, steering, UNKNOWN_SESSION } from "./session.ts";

const answer = {
  ...steering,
  summary: "Answer the agent's open question.",
  errors: [...UNKNOWN_SESSION, "question-unknown"],
  body: AnswerBody,
  answer: z.object({ messageId: z.string(), choice: z.string() }),
} as const satisfies CallSpec;

const Sent = z.object({ messageId: z.string(), sessionId: z.string() });

export const SESSION_MESSAGE_CALLS = {
  "POST /api/sessions/:id/message": {
    ...steering,
    summary: "Send the agent a message; it is queued until the agent can take it.",
    errors: [...UNKNOWN_SESSION, "session-state", "message-refused"],
    body: MessageBody,
    status: 202,
    answer: Sent,
  },
  "GET /api/sessions/:id/messages/:mid": {
    ...reading,
    summary: "Show a message and where it is.",
    errors: [...UNKNOWN_SESSION, "message-unknown"],
    query: z.strictObject({
      wait: count().exactOptional().describe("Milliseconds to wait for its delivery, at most 60000."),
    }),
    answer: MessageView,
  },
  "DELETE /api/sessions/:id/messages/:mid": {
    ...steering,
    summary: "Cancel a queued message; one that was sent cannot be cancelled.",
    errors: [...UNKNOWN_SESSION, "message-unknown", "conflict"],
    body: NothingBody,
    answer: MessageView,
  },
  "POST /api/sessions/:id/interrupt": {
    ...steering,
    summary: "Interrupt the running turn.",
    body: NothingBody,
    status: 202,
    answer: Sent,
  },
  "POST /api/sessions/:id/answer": answer,
  "POST /api/sessions/:id/permission": answer,
} as const satisfies CallTable;
