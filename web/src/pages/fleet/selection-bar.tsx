import "./selection-bar.css";
import { useState } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { interruptTurn, sendMessage, stopSession } from "../../data/session-writes.ts";
import { Button } from "../../parts/button.tsx";
import { Composer } from "../../parts/composer.tsx";

interface Props {
  readonly sessions: readonly SessionView[];
  readonly ids: ReadonlySet<string>;
  readonly onClear: () => void;
}

/** Actions on several sessions at once. */
export function SelectionBar({ sessions, ids, onClear }: Props) {
  const [isWriting, setWriting] = useState(false);
  const selected = sessions.filter(({ id }) => ids.has(id));
  const forAll = (act: (session: SessionView) => Promise<void>): Promise<unknown> => Promise.all(selected.map(act));
  const run = (act: (session: SessionView) => Promise<void>) => () => {
    void forAll(act);
    onClear();
  };
  return (
    <div className="bar selection-bar" role="toolbar" aria-label="Selected sessions">
      <span className="strong">{ids.size} selected</span>
      {isWriting ? (
        <Composer
          draft="several"
          label={`Message ${ids.size} agents`}
          note={null}
          onSend={(text) => forAll((session) => sendMessage(session, text)).finally(() => setWriting(false))}
          onLeave={() => setWriting(false)}
        />
      ) : (
        <Button onClick={() => setWriting(true)}>Message</Button>
      )}
      <Button onClick={run(interruptTurn)}>Interrupt</Button>
      <Button onClick={run(stopSession)}>Stop</Button>
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}
