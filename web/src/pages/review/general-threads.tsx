import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { type Conversation, generalConversations } from "./general-conversation.ts";
import { Thread } from "./thread.tsx";
import type { Review } from "./use-review.ts";

interface Props {
  readonly pullRequest: PullRequestDetailView;
  readonly review: Review;
}

/** The conversation about the pull request as a whole: what was written with a verdict, above the files. */
export function GeneralThreads({ pullRequest, review }: Props) {
  const all = generalConversations(pullRequest);
  if (all.length === 0) return null;
  const resolved = all.filter(({ thread }) => thread.resolvedBy !== null);
  const show = ({ thread, canResolve }: Conversation) => (
    <Thread key={thread.id} {...{ thread, canResolve, pullRequest, review }} />
  );
  return (
    <section className="review-general" aria-label="General">
      <h2 className="strong">General</h2>
      {all.filter(({ thread }) => thread.resolvedBy === null).map(show)}
      {resolved.length === 0 ? null : (
        <details>
          <summary className="small ink-3">{resolved.length} resolved</summary>
          {resolved.map(show)}
        </details>
      )}
    </section>
  );
}
