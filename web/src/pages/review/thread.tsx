import "./thread.css";
import { CornerDownRight, User } from "lucide-react";
import { useState } from "react";
import type { PullRequestDetailView, ThreadView } from "../../../../src/protocol/views/pull-request.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact, formatMoment } from "../../lib/time.ts";
import { Button } from "../../parts/button.tsx";
import { Composer } from "../../parts/composer.tsx";
import { describeFailure } from "../../parts/failure.ts";
import { Markdown } from "../../parts/markdown.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import type { Review } from "./use-review.ts";

interface Props {
  readonly thread: ThreadView;
  readonly pullRequest: Pick<PullRequestDetailView, "reviews" | "head">;
  readonly review: Review;
  readonly canResolve?: boolean;
}

/** A conversation: its comments, with reply and resolve. */
export function Thread({ thread, pullRequest, review, canResolve = true }: Props) {
  const [isReplying, setReplying] = useState(false);
  const head = pullRequest.reviews.find(({ id }) => id === thread.reviewId)?.head;
  const isOld = head !== undefined && head !== pullRequest.head;
  const isResolved = thread.resolvedBy !== null;
  const { variables, isPending, error } = review.resolve;
  const isResolving = isPending && variables?.thread === thread.id;
  return (
    <div className="thread" data-thread={thread.id}>
      {thread.comments.map((comment, index) => (
        <CommentView key={comment.id} comment={comment} note={index === 0 && isOld ? "on an older commit" : null} />
      ))}
      <div className="thread-bar">
        {isReplying ? (
          <Composer
            draft={`reply.${thread.id}`}
            label="Reply"
            note="sent to the agent"
            verb="Reply"
            onSend={async (text) => {
              await review.reply.mutateAsync({ thread: thread.id, text });
              setReplying(false);
            }}
            onLeave={() => setReplying(false)}
          />
        ) : (
          <Button kind="quiet" onClick={() => setReplying(true)}>
            Reply
          </Button>
        )}
        {isResolved ? <span className="small ink-3">resolved by {thread.resolvedBy}</span> : null}
        {canResolve ? (
          <Button
            hint={isResolved ? undefined : "s"}
            disabled={isResolving}
            onClick={() => review.resolve.mutate({ thread: thread.id, resolved: !isResolved })}
          >
            {isResolving ? "Sending …" : isResolved ? "Reopen" : "Resolve"}
          </Button>
        ) : null}
      </div>
      {error === null || variables?.thread !== thread.id ? null : (
        <p className="bad small thread-bar" role="alert">
          {describeFailure(error).what}
        </p>
      )}
    </div>
  );
}

function CommentView({
  comment,
  note,
}: {
  readonly comment: ThreadView["comments"][number];
  readonly note: string | null;
}) {
  const now = useNow();
  const { author, byAgent, text, at } = comment;
  return (
    <article className="thread-comment">
      {byAgent ? <CornerDownRight size={14} className="live" aria-hidden /> : <User size={14} aria-hidden />}
      <div>
        <header>
          <strong className="strong">
            <Untrusted text={author} />
          </strong>
          <span className="small ink-3" title={formatExact(at)}>
            {formatMoment(at, now)}
            {note === null ? "" : `, ${note}`}
          </span>
        </header>
        <Markdown text={text} />
      </div>
    </article>
  );
}
