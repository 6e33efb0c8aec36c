import type { SessionDetailView } from "../../../../../src/protocol/views/session.ts";
import { formatCost, formatTokens, isReported } from "../../../lib/cost.ts";
import { useNow } from "../../../lib/now.ts";
import { formatAge, formatClock, formatExact } from "../../../lib/time.ts";
import { AttemptsMeter } from "../../../parts/attempts-meter.tsx";
import { DeliveryMark } from "../../../parts/delivery-mark.tsx";
import { Phrase, Untrusted } from "../../../parts/untrusted.tsx";
import { openPullRequest } from "../pull-request-of.ts";
import { PullRequestSection } from "./pull-request-section.tsx";
import { Section } from "./section.tsx";
import { StateSection } from "./state-section.tsx";
import { TaskSection } from "./task-section.tsx";

/** Everything about a session besides its conversation. */
export function Inspector({ session }: { readonly session: SessionDetailView }) {
  const pullRequest = openPullRequest(session);
  return (
    <>
      <StateSection session={session} />
      <TaskSection session={session} />
      {pullRequest === null ? (
        <Section title="Pull request" aside="none yet" />
      ) : (
        <PullRequestSection pullRequest={pullRequest} />
      )}
      <Problems session={session} />
      <Messages session={session} />
      <Cost session={session} />
      <Workspace session={session} />
    </>
  );
}

function Problems({ session: { problems } }: { readonly session: SessionDetailView }) {
  const now = useNow();
  // A question is shown separately.
  const shown = problems.filter(({ key }) => key !== "agent-needs-input");
  return shown.map(({ id, text, since, attempts, attemptsAllowed, escalatesAt, escalated }) => (
    <Section
      key={id}
      title={<Phrase text={text} />}
      aside={<span title={formatExact(since)}>{`since ${formatClock(since)}, ${formatAge(since, now)}`}</span>}
    >
      {attemptsAllowed === null ? null : (
        <AttemptsMeter attempts={attempts} allowed={attemptsAllowed} escalatesAt={escalatesAt} now={now} />
      )}
      {escalated ? <p className="bad">Escalated to you.</p> : null}
    </Section>
  ));
}

function Messages({ session: { messages } }: { readonly session: SessionDetailView }) {
  const shown = messages.filter(({ kind }) => kind === "message" || kind === "task");
  return (
    <Section title="Messages" aside={shown.length}>
      {shown.slice(-8).map(({ id, at, preview, delivery, reason }) => (
        <div key={id} className="inspector-row" title={reason ?? undefined}>
          <time className="ink-3" dateTime={at} title={formatExact(at)}>
            {formatClock(at)}
          </time>
          <Untrusted text={preview ?? "message"} />
          <DeliveryMark delivery={delivery} />
        </div>
      ))}
    </Section>
  );
}

function Cost({ session: { cost } }: { readonly session: SessionDetailView }) {
  const { inputTokens, cachedTokens, outputTokens, estimatedUsd, unpricedTokens } = cost;
  const cached = inputTokens === 0 ? 0 : Math.round((100 * cachedTokens) / inputTokens);
  const parts = [
    ...(estimatedUsd > 0 ? ["estimated from list prices"] : []),
    ...(unpricedTokens > 0 ? [`${formatTokens(unpricedTokens)} tokens without a price`] : []),
    `${formatTokens(inputTokens + outputTokens)} tokens`,
    ...(cached > 0 ? [`${cached}% cached`] : []),
  ];
  if (!isReported(cost)) return <Section title="Cost" aside="not reported" />;
  return (
    <Section title="Cost" aside={formatCost(cost)}>
      <p className="ink-3">{parts.join(", ")}</p>
    </Section>
  );
}

function Workspace({ session }: { readonly session: SessionDetailView }) {
  const { uncommitted, workspacePath, workspace, blocks } = session;
  const files = uncommitted === 1 ? "1 uncommitted file" : `${uncommitted} uncommitted files`;
  return (
    <Section title="Workspace" aside={uncommitted === 0 ? workspace.state : files}>
      {workspacePath === null ? null : (
        <code className="inspector-path">
          <Untrusted text={workspacePath} />
        </code>
      )}
      {workspace.reason === null ? null : <p className="bad">{workspace.reason}</p>}
      {workspace.preservedRef === null ? null : (
        <p>
          Uncommitted work saved in <code>{workspace.preservedRef}</code>
        </p>
      )}
      {blocks.length === 0 ? null : <p>Blocks {blocks.join(", ")} until merged</p>}
    </Section>
  );
}
