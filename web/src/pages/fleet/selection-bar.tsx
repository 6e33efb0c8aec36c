import "./selection-bar.css";
import { useState } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { interruptTurn, sendMessage, stopSession } from "../../data/session-writes.ts";
import { Button } from "../../parts/button.tsx";
import { Composer } from "../../parts/composer.tsx";
import { sendToEach } from "./send-to-each.ts";

interface Props {
  readonly sessions: readonly SessionView[];
  readonly ids: ReadonlySet<string>;
  readonly onSelect: (ids: readonly string[]) => void;
}

/** Actions on several sessions at once. */
export function SelectionBar({ sessions, ids, onSelect }: Props) {
  const [isWriting, setWriting] = useState(false);
  const selected = sessions.filter(({ id }) => ids.has(id));
  const clear = (): void => onSelect([]);
  const run = (act: (session: SessionView) => Promise<void>) => () => {
    void sendToEach(selected, act);
    clear();
  };
  const send = async (text: string): Promise<void> => {
    const { failed, error } = await sendToEach(selected, (session) => sendMessage(session, text));
    if (error === null) return setWriting(false);
    // The text returns to the field, and those that have it must not get it twice.
    onSelect(failed);
    throw error;
  };
  return (
    <div className="bar selection-bar" role="toolbar" aria-label="Selected sessions">
      <span className="strong">{ids.size} selected</span>
      {isWriting ? (
        <Composer
          draft="several"
          label={`Message ${ids.size} agents`}
          note={null}
          onSend={send}
          onLeave={() => setWriting(false)}
        />
      ) : (
        <Button onClick={() => setWriting(true)}>Message</Button>
      )}
      <Button onClick={run(interruptTurn)}>Interrupt</Button>
      <Button onClick={run(stopSession)}>Stop</Button>
      <Button kind="quiet" onClick={clear}>
        Clear
      </Button>
    </div>
  );
}
