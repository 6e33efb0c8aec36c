import type { SessionDetailView } from "../../../../src/protocol/views/session.ts";
import { formatCost, isReported } from "../../lib/cost.ts";
import { useNow } from "../../lib/now.ts";
import { formatAge, formatExact } from "../../lib/time.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { describeFailure } from "../../parts/failure.ts";
import { NeedPlace } from "../../parts/need-place.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PageLink } from "../../parts/page-link.tsx";
import { StateMark } from "../../parts/state-mark.tsx";
import { Untrusted } from "../../parts/untrusted.tsx";
import { pullRequestPath } from "../fleet/need-buttons.ts";
import { openPullRequest } from "./pull-request-of.ts";
import type { Copy } from "./use-copy.ts";
import type { SessionActions } from "./use-session-actions.ts";

interface Props {
  readonly session: SessionDetailView;
  readonly actions: SessionActions;
  readonly copy: Copy;
}

/** What the session is, and the possible actions. */
export function SessionHeader({ session, actions, copy }: Props) {
  return (
    <header className="session-header">
      <PageLink href="/" className="session-back" aria-label="Back to the fleet">
        ‹
      </PageLink>
      <StateMark of={session} size={18} />
      <div className="session-title">
        <h1>
          <Untrusted text={session.title} />
        </h1>
        <Facts session={session} />
      </div>
      <Outcome actions={actions} />
      <Actions session={session} actions={actions} copy={copy} />
      <NeedPlace sessionId={session.id} />
    </header>
  );
}

function Facts({ session }: { readonly session: SessionDetailView }) {
  const now = useNow();
  const { id, issue, agent, runtime, sandbox, branch, createdAt, cost } = session;
  return (
    <p className="session-facts">
      <code>{id}</code>
      {issue === null ? null : <span>issue {issue}</span>}
      <span>{runtime === "tmux" ? `${agent} in tmux` : agent}</span>
      <span>{sandbox === undefined ? "not sandboxed" : "sandboxed"}</span>
      <code>
        <Untrusted text={branch} />
      </code>
      <span title={`created ${formatExact(createdAt)}`}>{formatAge(createdAt, now)}</span>
      {isReported(cost) ? <span>{formatCost(cost)}</span> : null}
    </p>
  );
}

function Actions({ session, actions, copy }: Props) {
  const pullRequest = openPullRequest(session);
  const isStopped = session.status === "stopped";
  const isResting = isStopped || session.run.state === "ended";
  return (
    <div className="session-actions">
      {session.agentStatus === "working" || session.agentStatus === "no-signal" ? (
        <Button hint="i" disabled={actions.interrupt.isPending} onClick={() => actions.interrupt.mutate()}>
          {actions.interrupt.isPending ? "Interrupting …" : "Interrupt"}
        </Button>
      ) : null}
      {isStopped ? null : (
        <Button hint="x" disabled={actions.stop.isPending} onClick={() => actions.stop.mutate()}>
          {actions.stop.isPending ? "Stopping …" : "Stop"}
        </Button>
      )}
      {isResting ? (
        <Button hint="Shift R" disabled={actions.restore.isPending} onClick={() => actions.restore.mutate()}>
          {actions.restore.isPending ? "Restoring …" : "Restore"}
        </Button>
      ) : null}
      {session.workspacePath === null ? null : (
        <Button hint="e" className="session-copy" title={session.workspacePath} onClick={copy.run}>
          {copy.state}
        </Button>
      )}
      {pullRequest === null ? null : (
        <ButtonLink hint="o" href={pullRequestPath(pullRequest.key)}>
          Review #{pullRequest.number}
        </ButtonLink>
      )}
    </div>
  );
}

/** Why the last action was rejected, or a way to undo a stop. */
function Outcome({ actions: { interrupt, stop, restore } }: { readonly actions: SessionActions }) {
  const failed = [interrupt, stop, restore].find(({ error }) => error !== null);
  if (failed?.error != null) {
    const { what, fix } = describeFailure(failed.error);
    return (
      <Notice tone="bad">
        {what} {fix}
      </Notice>
    );
  }
  if (!stop.isSuccess || restore.isPending || restore.isSuccess) return null;
  return <Notice>Stopped, all work kept.</Notice>;
}
