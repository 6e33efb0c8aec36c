import { memo } from "react";
import type { SessionView } from "../../../../src/protocol/views/session.ts";
import { type RowNote, useRowNote } from "../../data/row-notes.ts";
import { interruptTurn, restoreSession } from "../../data/session-writes.ts";
import { formatCost } from "../../lib/cost.ts";
import { needText } from "../../lib/need-text.ts";
import { stateOf } from "../../lib/state-of.ts";
import type { StripActivity, StripFrame } from "../../lib/strip-geometry.ts";
import { Ago } from "../../parts/ago.tsx";
import { Button } from "../../parts/button.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { Strip } from "../../parts/strip.tsx";
import { Phrase, Untrusted } from "../../parts/untrusted.tsx";
import { hasOwnLine } from "./has-own-line.ts";
import { LiveMark } from "./live-mark.tsx";
import { MessageField } from "./message-field.tsx";
import { NeedActions } from "./need-actions.tsx";
import { sessionPath } from "./need-buttons.ts";
import { onRowClick } from "./row-click.ts";
import { PullRequestCells } from "./session-row.tsx";

interface Props {
  readonly session: SessionView;
  readonly activity: StripActivity | undefined;
  readonly frame: StripFrame;
  readonly isNarrow: boolean;
  readonly isSelected: boolean;
  readonly isWriting: boolean;
  readonly onSelect: (id: string) => void;
  readonly onWrite: (id: string | null) => void;
}

/** Longer waits are amber. */
export const LONG_WAIT_MS = 30 * 60_000;

/** A session as a block. */
export const SessionBlock = memo(function SessionBlock(props: Props) {
  const { session, activity, frame, isNarrow, isSelected, isWriting, onSelect, onWrite } = props;
  const note = useRowNote(session.id);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: j and k do the same by keyboard
    <article
      className={hasOwnLine(session, isWriting) ? "block block-tall" : "block"}
      data-selected={isSelected || undefined}
      onClick={onRowClick(() => onSelect(session.id))}
    >
      <LiveMark session={session} />
      {isNarrow ? <NarrowHead session={session} /> : <Head session={session} />}
      <Strip activity={activity} frame={frame} />
      {isNarrow ? null : (
        <span className="block-checks">
          <PullRequestCells session={session} />
        </span>
      )}
      {note === null ? null : <BlockNote note={note} session={session} />}
      {isWriting ? (
        <MessageField session={session} onDone={() => onWrite(null)} />
      ) : session.attention === null ? (
        <Quiet session={session} onWrite={onWrite} />
      ) : (
        <NeedActions session={session} isSelected={isSelected} isBusy={note?.kind === "sending"} onWrite={onWrite} />
      )}
    </article>
  );
});

function Head({ session }: { readonly session: SessionView }) {
  return (
    <>
      <h2 className="block-title">
        <PageLink href={sessionPath(session.id)}>
          <Untrusted text={session.title} />
        </PageLink>
      </h2>
      <span className="block-about">
        <Untrusted text={session.id} className="need-id mono from-end" /> <span>{session.agent}</span>
        <span className="ink-2">{formatCost(session.cost)}</span> <Ago at={session.createdAt} about="started" />
      </span>
      <State session={session} />
    </>
  );
}

/** In a narrow window the need itself is the title. */
function NarrowHead({ session }: { readonly session: SessionView }) {
  const { id, title, attention, lastSignalAt, updatedAt } = session;
  return (
    <>
      <span className="strong">{stateOf(session).label}</span>
      <Ago at={attention?.at ?? lastSignalAt ?? updatedAt} className="block-wait ink-3" urgentAfter={LONG_WAIT_MS} />
      <h2 className="block-need strong">
        <Phrase text={needText(session)} />
      </h2>
      <PageLink href={sessionPath(id)} className="block-narrow-about">
        <Untrusted text={id} className="need-id mono from-end" />
        <Untrusted text={title} />
      </PageLink>
    </>
  );
}

function State({ session }: { readonly session: SessionView }) {
  const { attention, lastSignalAt } = session;
  return (
    <p className="block-state">
      {attention === null ? null : (
        <span className="you">
          {stateOf(session).label}, <Ago at={attention.at} />:{" "}
        </span>
      )}
      <Phrase text={needText(session)} />
      {attention !== null || lastSignalAt === null ? null : (
        <span className="ink-3">
          {" "}
          Last signal <Ago at={lastSignalAt} /> ago.
        </span>
      )}
    </p>
  );
}

function BlockNote({ note, session }: { readonly note: RowNote; readonly session: SessionView }) {
  const isFailed = note.kind === "failed";
  return (
    <p className={isFailed ? "block-note bad" : "block-note ink-2"} role={isFailed ? "alert" : "status"}>
      {note.text}{" "}
      {note.kind === "stopped" ? <Button onClick={() => void restoreSession(session)}>Restore</Button> : null}
    </p>
  );
}

/** Actions on a session that needs nobody. */
function Quiet({ session, onWrite }: { readonly session: SessionView; readonly onWrite: (id: string) => void }) {
  return (
    <span className="need-actions">
      <Button onClick={() => onWrite(session.id)}>Message</Button>
      {session.status === "working" ? <Button onClick={() => void interruptTurn(session)}>Interrupt</Button> : null}
    </span>
  );
}
