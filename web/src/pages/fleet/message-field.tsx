import { useEffect, useRef } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { sendMessage } from "../../data/session-writes.ts";
import { Composer } from "../../parts/composer.tsx";

interface Props {
  readonly session: SessionView;
  readonly onDone: () => void;
}

/** The field for a message, in the row of its session. */
export function MessageField({ session, onDone }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const send = async (text: string): Promise<void> => {
    await sendMessage(session, text);
    // Unless it was closed meanwhile, or has the next message.
    if (field.current?.value === "") onDone();
  };
  return (
    <span className="need-actions">
      <Composer
        draft={session.id}
        label={`Message ${session.id}`}
        note={null}
        onSend={send}
        onLeave={onDone}
        field={field}
      />
    </span>
  );
}
