import { useLocation } from "wouter";
import type { InboxView } from "../../../../src/protocol/views/inbox.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { dismissEntry } from "../../data/need-writes.ts";
import { answerQuestion, mergePullRequest, restoreSession } from "../../data/session-writes.ts";
import { useShortcuts } from "../../keys/use-shortcuts.ts";
import { useHref } from "../../lib/url-state.ts";
import { inboxPath } from "../../shell/step-need.ts";
import { stepSelection } from "../fleet/list-items.ts";
import { sessionPath } from "../fleet/need-buttons.ts";

interface Input {
  readonly ids: readonly string[];
  readonly shown: InboxView | null;
  readonly session: SessionView | null;
}

/** The inbox's shortcuts, which act on the shown entry. */
export function useInboxKeys({ ids, shown, session }: Input): void {
  const [, navigate] = useLocation();
  const href = useHref();
  const step = (by: 1 | -1) => () => {
    const next = stepSelection(ids, shown?.id ?? null, by);
    return next === null ? false : navigate(href(inboxPath(next)), { replace: true });
  };
  const onSession = (act: (session: SessionView) => unknown) => () => (session === null ? false : act(session));
  useShortcuts({
    next: step(1),
    previous: step(-1),
    open: onSession(({ id }) => navigate(href(sessionPath(id)))),
    dismiss: () => (shown?.canAcknowledge === true ? dismissEntry(shown.id).catch(() => undefined) : false),
    answer: (key) => {
      const choice = shown?.question?.choices[Number(key) - 1];
      if (shown?.question == null || choice === undefined) return false;
      return answerQuestion({ id: shown.sessionId }, shown.question.id, choice).catch(() => undefined);
    },
    message: () => document.querySelector<HTMLTextAreaElement>(".inbox-detail textarea")?.focus(),
    restore: onSession(restoreSession),
    merge: onSession(mergePullRequest),
    terminal: onSession(({ id }) => navigate(href(`${sessionPath(id)}?tab=terminal`))),
  });
}
