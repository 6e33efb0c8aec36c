import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { dismissNeed, passNeed, rerunChecks } from "../../data/need-writes.ts";
import {
  answerQuestion,
  approvePullRequest,
  interruptTurn,
  mergePullRequest,
  restoreSession,
  stopSession,
} from "../../data/session-writes.ts";
import type { NeedButton } from "./need-buttons.ts";

/** Runs the action of a need's button. */
export function runNeedButton(button: NeedButton, session: SessionView): void {
  const head = session.pullRequests.find(({ phase }) => phase === "open")?.head ?? "";
  switch (button.does) {
    case "answer":
      // The row shows why it failed.
      return void answerQuestion(session, session.question?.id ?? "", button.choice).catch(() => undefined);
    case "merge":
      return void mergePullRequest(session);
    case "approve":
      return void approvePullRequest(session, head);
    case "interrupt":
      return void interruptTurn(session);
    case "restore":
      return void restoreSession(session);
    case "stop":
      return void stopSession(session);
    case "pass":
      return void passNeed(session);
    case "dismiss":
      return void dismissNeed(session);
    case "rerun":
      return void rerunChecks(session);
    case "message":
    case "open":
      return;
  }
}
