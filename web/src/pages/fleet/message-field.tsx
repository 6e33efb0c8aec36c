import "./message-field.css";
import { useEffect, useRef } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { answerQuestion, sendMessage } from "../../data/session-writes.ts";
import { Composer } from "../../parts/composer.tsx";

interface Props {
  readonly session: SessionView;
  readonly onDone: () => void;
}

/** The field for a message, or for an answer in own words, in the row of its session. */
export function MessageField({ session, onDone }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const question = openQuestion(session);
  const send = async (text: string): Promise<void> => {
    // A message would wait until the question is answered.
    await (question === null ? sendMessage(session, text) : answerQuestion(session, question.id, text));
    // Unless it was closed meanwhile, or has the next message.
    if (field.current?.value === "") onDone();
  };
  return (
    <span className="need-actions need-writing">
      <Composer
        draft={question === null ? session.id : `answer.${question.id}`}
        label={question === null ? `Message ${session.id}` : "Answer in your own words"}
        note={null}
        verb={question === null ? "Send" : "Answer"}
        onSend={send}
        onLeave={onDone}
        field={field}
      />
    </span>
  );
}

/** The question that words of a person answer. For a permission they would be a denial, so these are a message. */
function openQuestion({ question }: SessionView): SessionView["question"] {
  const isOpen = question !== null && question.kind === "question" && question.freeText && question.answered !== true;
  return isOpen ? question : null;
}
