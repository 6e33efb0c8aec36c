import "./transcript.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { SessionDetailView } from "../../../../../src/protocol/views/session.ts";
import { Empty } from "../../../parts/empty.tsx";
import { Failure } from "../../../parts/failure-notice.tsx";
import { useListed } from "../use-listed.ts";
import { loadOlder, transcriptQuery } from "./load-transcript.ts";
import { TranscriptRowView } from "./transcript-row.tsx";
import { type TranscriptRow, toRows } from "./transcript-rows.ts";
import { useFollow } from "./use-follow.ts";

interface Props {
  readonly session: SessionDetailView;
  readonly isFollowing: boolean;
  readonly onFollow: (isFollowing: boolean) => void;
  /** The moment to show, in milliseconds; null: the end. */
  readonly at: number | null;
}

/** The conversation with an agent, oldest first. Older parts load on scrolling up, new ones automatically. */
export function Transcript({ session, isFollowing, onFollow, at }: Props) {
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery(transcriptQuery(queries, session.id));
  const { lastSignalAt } = useListed(session.id) ?? session;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sign of life means that there is more to read
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ["session", session.id, "transcript"] }, { cancelRefetch: false });
  }, [queries, session.id, lastSignalAt]);
  const asked = session.question?.id;
  const rows = useMemo(
    () => toRows(data?.items ?? [], data?.older === null).filter((row) => !isAbout(row, asked)),
    [data, asked],
  );
  const { list, onScroll } = useFollow({
    rows,
    isFollowing,
    onFollow,
    at,
    onTop: () => void loadOlder(queries, session.id).catch(() => undefined),
  });
  const messages = useMemo(() => new Map(session.messages.map((message) => [message.at, message])), [session]);
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data !== undefined && rows.length === 0) return <Empty title="Nothing said yet" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <ol className="transcript" ref={list} onScroll={onScroll} tabIndex={0} aria-label="Transcript">
      {rows.map((row) => (
        <TranscriptRowView
          key={row.id}
          row={row}
          issue={session.issue}
          delivery={row.kind === "message" ? (messages.get(row.at ?? "") ?? null) : null}
        />
      ))}
    </ol>
  );
}

/** The open question has its own panel. */
function isAbout(row: TranscriptRow, asked: string | undefined): boolean {
  return row.kind === "question" && row.question.id === asked;
}
