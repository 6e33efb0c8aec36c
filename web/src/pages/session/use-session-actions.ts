import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { call } from "../../data/call.ts";
import type { Answer } from "./answer-state.ts";

/** A message sent here that the session's view does not list yet. */
export interface SentMessage {
  readonly key: string;
  readonly text: string;
  /** null: the daemon has not confirmed it. */
  readonly messageId: string | null;
}

/** A person's actions on a session page, and the state of each. */
export function useSessionActions(session: SessionDetailView) {
  const { id } = session;
  const params = { id };
  const queries = useQueryClient();
  const onSuccess = (): Promise<void> => queries.invalidateQueries({ queryKey: ["session", id] });
  const interrupt = useMutation({ mutationFn: () => call("POST /api/sessions/:id/interrupt", { params }), onSuccess });
  const stop = useMutation({ mutationFn: () => call("DELETE /api/sessions/:id", { params, input: {} }), onSuccess });
  const restore = useMutation({
    mutationFn: () => call("POST /api/sessions/:id/restore", { params, input: {} }),
    onSuccess,
  });
  const answer = useMutation({
    mutationFn: (input: Answer) => call("POST /api/sessions/:id/permission", { params, input }),
    onSuccess,
  });
  const cancel = useMutation({
    mutationFn: (mid: string) => call("DELETE /api/sessions/:id/messages/:mid", { params: { id, mid } }),
    onSuccess,
  });
  const { send, sent } = useSending(session);
  return { interrupt, stop, restore, answer, cancel, send, sent };
}

export type SessionActions = ReturnType<typeof useSessionActions>;

function useSending({ id, messages }: SessionDetailView) {
  const [all, setAll] = useState<readonly SentMessage[]>([]);
  const queries = useQueryClient();
  const send = async (text: string): Promise<void> => {
    const key = crypto.randomUUID();
    setAll((before) => [...before, { key, text, messageId: null }]);
    const forget = (): void => setAll((before) => before.filter((message) => message.key !== key));
    try {
      const { messageId } = await call("POST /api/sessions/:id/message", {
        params: { id },
        input: { content: text },
        key,
      });
      setAll((before) => before.map((message) => (message.key === key ? { ...message, messageId } : message)));
      await queries.invalidateQueries({ queryKey: ["session", id] });
    } catch (error) {
      forget();
      throw error;
    }
  };
  const sent = all.filter(({ messageId }) => !messages.some((message) => message.id === messageId));
  return { send, sent };
}

/** Messages from a person or `ao` that are not sent yet. */
export function queuedMessages({ messages }: Pick<SessionDetailView, "messages">): SessionDetailView["messages"] {
  return messages.filter(({ kind, delivery }) => kind === "message" && delivery === "queued");
}
