import { Clock } from "lucide-react";
import type { RefObject } from "react";
import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { useNow } from "../../lib/now.ts";
import { formatAge, formatClock } from "../../lib/time.ts";
import { Button } from "../../parts/button.tsx";
import { Composer } from "../../parts/composer.tsx";
import { DeliveryMark } from "../../parts/delivery-mark.tsx";
import { describeFailure } from "../../parts/failure.ts";
import { QuestionPanel } from "../../parts/question-panel.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { answerState } from "./answer-state.ts";
import { describeSending } from "./describe-sending.ts";
import { queuedMessages, type SessionActions } from "./use-session-actions.ts";

interface Props {
  readonly session: SessionDetailView;
  readonly actions: SessionActions;
  readonly field: RefObject<HTMLTextAreaElement | null>;
}

/** Below the transcript: the open question, unsent messages, and the message field. */
export function Dock({ session, actions, field }: Props) {
  const { question, id } = session;
  const { note, isOff } = describeSending(session);
  return (
    <div className="session-dock">
      {question === null ? null : (
        <QuestionPanel
          key={question.id}
          question={question}
          mark={<MarkShape mark="question" />}
          note={<Asked session={session} />}
          {...answerState(question, actions.answer)}
          onAnswer={(choice) => actions.answer.mutateAsync({ choice, questionId: question.id })}
        />
      )}
      <Queued session={session} actions={actions} />
      <Composer
        draft={id}
        label={`Message ${id}`}
        note={note}
        isOff={isOff}
        onSend={actions.send}
        onLeave={() => field.current?.blur()}
        field={field}
      />
    </div>
  );
}

function Asked({ session: { attention } }: { readonly session: SessionDetailView }) {
  const now = useNow();
  if (attention === null) return <>Other messages wait for your answer.</>;
  return (
    <>
      Asked at {formatClock(attention.since)}, {formatAge(attention.since, now)} ago. Other messages wait for your
      answer.
    </>
  );
}

function Queued({ session, actions }: Omit<Props, "field">) {
  const queued = queuedMessages(session);
  const { cancel } = actions;
  return (
    <>
      {queued.map(({ id, at, preview, reason }, index) => (
        <div key={id} className="session-queued">
          <Clock size={14} aria-hidden />
          <span className="one-line" title={reason ?? undefined}>
            <strong>Queued</strong> since {formatClock(at)}: “<Untrusted text={preview ?? "message"} />”
          </span>
          {cancel.error !== null && cancel.variables === id ? (
            <span className="bad" role="alert">
              {describeFailure(cancel.error).what}
            </span>
          ) : null}
          <Button
            kind="quiet"
            hint={index === queued.length - 1 ? "z" : undefined}
            disabled={cancel.isPending && cancel.variables === id}
            onClick={() => cancel.mutate(id)}
          >
            Cancel
          </Button>
        </div>
      ))}
      {actions.sent.map(({ key, text }) => (
        <div key={key} className="session-queued" role="status">
          <DeliveryMark delivery="sending" />
          <Untrusted text={text} />
        </div>
      ))}
    </>
  );
}
