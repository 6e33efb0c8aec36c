import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { InboxView } from "../../../../src/protocol/views/inbox.ts";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { activityQuery } from "../../data/fleet-queries.ts";
import { dismissEntry, passEntry, snoozeEntry } from "../../data/need-writes.ts";
import { pullRequestRef } from "../../data/pull-request-queries.ts";
import { useRowNote } from "../../data/row-notes.ts";
import { answerQuestion, sendMessage } from "../../data/session-writes.ts";
import { useNow } from "../../lib/now.ts";
import { needOf } from "../../lib/state-of.ts";
import { formatClock, formatSpan } from "../../lib/time.ts";
import { useWidth } from "../../lib/use-width.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Composer } from "../../parts/composer.tsx";
import { Failure } from "../../parts/failure-notice.tsx";
import { QuestionPanel } from "../../parts/question-panel.tsx";
import { MarkShape } from "../../parts/state-mark.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { NeedActions } from "../fleet/need-actions.tsx";
import { sessionPath } from "../fleet/need-buttons.ts";
import { useAxis } from "../fleet/use-axis.ts";
import { Evidence } from "./inbox-evidence.tsx";
import { textOf } from "./inbox-list.tsx";

const HOURS = 3;

interface Props {
  readonly entry: InboxView;
  /** Null: it is about a project, or a pull request without a session. */
  readonly session: SessionView | null;
}

/** One entry: what it is about, what was tried, and the possible actions. */
export function InboxDetail({ entry, session }: Props) {
  const { mark, label } = needOf(entry.question?.kind ?? entry.kind);
  const ago = useNow((now) => formatSpan(now - Date.parse(entry.at)));
  return (
    <article className="inbox-detail">
      <header className="inbox-head">
        <MarkShape mark={mark} />
        <span className="strong">{label}</span>
        <span className="small ink-3">
          at {formatClock(entry.at)}, {ago} ago
        </span>
        <Untrusted text={[entry.sessionId, numberOf(entry, session)].join("  ")} className="mono ink-3" />
      </header>
      <h2 className="inbox-title">
        <Phrase text={textOf(entry, session)} />
      </h2>
      <p className="ink-2">{session === null ? null : <Untrusted text={session.title} />}</p>
      {session === null ? null : <SessionStrip id={session.id} />}
      <div className="inbox-body">
        {entry.question === null || session === null ? null : (
          <QuestionPanel
            question={entry.question}
            onAnswer={(answer) => answerQuestion(session, entry.question?.id ?? "", answer)}
          />
        )}
        <Evidence entry={entry} session={session} />
      </div>
      <Actions entry={entry} session={session} />
    </article>
  );
}

function numberOf({ pullRequest }: InboxView, session: SessionView | null): string {
  const number = session?.pullRequests.find(({ key }) => key === pullRequest)?.number;
  return pullRequest === null ? "" : `#${number ?? pullRequestRef(pullRequest).number}`;
}

function SessionStrip({ id }: { readonly id: string }) {
  const [measured, width] = useWidth(860);
  const { frame, ref } = useAxis(HOURS, width);
  const { data } = useQuery(activityQuery(HOURS));
  return (
    <div ref={measured} className="inbox-strip">
      <div ref={ref}>
        <Strip activity={data?.get(id)} frame={frame} />
      </div>
      <p className="micro ink-3">
        <span>{formatClock(frame.from)}</span>
        <span>{formatClock(frame.to)}</span>
      </p>
    </div>
  );
}

function Actions({ entry, session }: Props) {
  const note = useRowNote(entry.sessionId);
  const isBusy = note?.kind === "sending";
  return (
    <footer className="inbox-actions">
      {note === null ? null : (
        <p
          className={note.kind === "failed" ? "bad small" : "small ink-2"}
          role={note.kind === "failed" ? "alert" : "status"}
        >
          {note.text}
        </p>
      )}
      {session === null ? null : (
        <>
          <Composer
            draft={session.id}
            label={`Message ${session.id}: what should it try next?`}
            note={null}
            onSend={(text) => sendMessage(session, text)}
          />
          {entry.question === null ? (
            <NeedActions session={session} isSelected isBusy={isBusy} onWrite={focusComposer} />
          ) : null}
          <ButtonLink href={sessionPath(session.id)} hint="o">
            Open session
          </ButtonLink>
        </>
      )}
      {entry.state === "open" ? <PutOff entry={entry} /> : null}
    </footer>
  );
}

function PutOff({ entry }: { readonly entry: InboxView }) {
  const [failure, setFailure] = useState<Error | null>(null);
  const run = (write: Promise<void>): void => void write.catch(setFailure);
  return (
    <>
      <Button onClick={() => run(snoozeEntry(entry.id, 1))}>Snooze 1 h</Button>
      {entry.actions.some(({ action }) => action === "pass") ? (
        <Button onClick={() => run(passEntry(entry.id))}>Send to agent</Button>
      ) : null}
      {entry.canAcknowledge ? (
        <Button hint="d" onClick={() => run(dismissEntry(entry.id))}>
          Dismiss
        </Button>
      ) : null}
      {failure === null ? null : <Failure error={failure} />}
    </>
  );
}

function focusComposer(): void {
  document.querySelector<HTMLTextAreaElement>(".inbox-actions textarea")?.focus();
}
