import { type RefObject, useRef } from "react";
import { useLocation } from "wouter";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { useHref } from "../../lib/url-state.ts";
import { pullRequestPath } from "../fleet/need-buttons.ts";
import { canAnswer } from "./answer-state.ts";
import { openPullRequest } from "./pull-request-of.ts";
import { queuedMessages, type SessionActions } from "./use-session-actions.ts";

interface Options {
  readonly session: SessionDetailView;
  readonly actions: SessionActions;
  readonly onCopy: () => void;
  readonly onTerminal: () => void;
  readonly onFollow: () => void;
}

/** The single keys of the session page. Returns the field that `m` focuses. */
export function useSessionKeys({
  session,
  actions,
  onCopy,
  onTerminal,
  onFollow,
}: Options): RefObject<HTMLTextAreaElement | null> {
  const message = useRef<HTMLTextAreaElement>(null);
  const [, navigate] = useLocation();
  const href = useHref();
  const { question } = session;
  const isAsked = canAnswer(question, actions.answer);
  useShortcuts({
    answer: (key) => {
      const choice = question?.choices[Number(key) - 1];
      if (question === null || choice === undefined || !isAsked) return false;
      return actions.answer.mutate({ choice, questionId: question.id });
    },
    // While a question with free text is open, its panel handles the key.
    message: () => !(isAsked && question?.freeText === true) && message.current?.focus(),
    interrupt: () => actions.interrupt.mutate(),
    stop: () => session.status !== "stopped" && actions.stop.mutate(),
    restore: () => actions.restore.mutate(),
    open: () => {
      const pullRequest = openPullRequest(session);
      return pullRequest === null ? false : navigate(href(pullRequestPath(pullRequest.key)));
    },
    "cancel-message": () => {
      const last = queuedMessages(session).at(-1);
      return last === undefined ? false : actions.cancel.mutate(last.id);
    },
    "copy-path": () => (session.workspacePath === null ? false : onCopy()),
    terminal: onTerminal,
    follow: onFollow,
  });
  return message;
}
