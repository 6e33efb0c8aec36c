import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { useNow } from "../../lib/now.ts";
import { formatExact } from "../../lib/time.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { NeedPlace } from "../../parts/need-place.tsx";
import { Notice } from "../../parts/notice.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { describeAge } from "./describe-age.ts";

interface Props {
  readonly pullRequest: PullRequestDetailView;
  /** The commit on screen. */
  readonly shown: string;
  readonly onShow: () => void;
}

export function ReviewHeader({ pullRequest, shown, onShow }: Props) {
  const now = useNow();
  const { number, sessionId, title, branch, base, on, head, openedAt } = pullRequest;
  return (
    <header className="session-header">
      <StateMark of={pullRequest} size={18} />
      <div className="session-title">
        <h1>
          <Untrusted text={title} />
        </h1>
        <p className="session-facts">
          <code>#{number}</code>
          {sessionId === null ? null : <code>{sessionId}</code>}
          <code>
            <Untrusted text={branch} />
          </code>
          <span>into {base}</span>
          {on === undefined ? null : <span>on {on}</span>}
          <code>{shown.slice(0, 7)}</code>
          <span title={`opened ${formatExact(openedAt)}`}>{describeAge(pullRequest, now)}</span>
        </p>
      </div>
      {head === shown ? null : (
        <Notice tone="you" action={<Button onClick={onShow}>Show it</Button>}>
          New commit {head.slice(0, 7)}
        </Notice>
      )}
      {sessionId === null ? null : (
        <ButtonLink href={`/s/${encodeURIComponent(sessionId)}`} hint="t">
          Session
        </ButtonLink>
      )}
      {sessionId === null ? null : <NeedPlace sessionId={sessionId} />}
    </header>
  );
}
