import "./verdict-bar.css";
import type { PullRequestDetailView } from "../../../../src/protocol/views/pull-request.ts";
import { Button } from "../../parts/button.tsx";
import { Composer } from "../../parts/composer.tsx";
import { describeFailure } from "../../parts/failure.ts";
import { plural } from "./merge-gate.ts";
import { suggestVerdict } from "./suggest-verdict.ts";
import type { Verdict } from "./use-review.ts";
import type { Verdicts } from "./use-verdicts.ts";

interface Props {
  readonly pullRequest: PullRequestDetailView;
  readonly verdicts: Verdicts;
}

/**
 * A person's decision on the pull request. The merge button is always there; while it is blocked it shows what it waits
 * for.
 */
export function VerdictBar({ pullRequest, verdicts }: Props) {
  const { asking, count, failure, busy } = verdicts;
  if (pullRequest.phase !== "open") return null;
  const suggested = suggestVerdict(pullRequest, count);
  return (
    <section className="verdict-bar" aria-label="Your review">
      {asking === null ? null : <Reason verdict={asking} pullRequest={pullRequest} verdicts={verdicts} />}
      <span className="verdict-bar-note">
        <strong className="strong">Your review </strong>
        <Note failure={failure} count={count} busy={busy} pullRequest={pullRequest} />
      </span>
      {count > 0 ? (
        <Button kind="quiet" size="verdict" disabled={busy !== null} onClick={() => verdicts.give("comment")}>
          Comment only
        </Button>
      ) : null}
      <Button size="verdict" hint="a" disabled={busy !== null} onClick={() => verdicts.give("approve")}>
        Approve
      </Button>
      <Button
        size="verdict"
        hint="r"
        kind={suggested === "request-changes" ? "primary" : "default"}
        disabled={busy !== null}
        onClick={() => verdicts.give("request-changes")}
      >
        Request changes
      </Button>
      <Button
        size="verdict"
        hint="Shift A"
        kind={suggested === "approve-then-merge" ? "primary" : "default"}
        disabled={busy !== null}
        onClick={verdicts.approveThenMerge}
      >
        Approve, then merge
      </Button>
      <MergeButton pullRequest={pullRequest} verdicts={verdicts} />
    </section>
  );
}

function MergeButton({ pullRequest, verdicts }: Props) {
  const { blockers, mergeRequest } = pullRequest;
  if (mergeRequest !== null) {
    return (
      <Button size="verdict" disabled={verdicts.busy !== null} onClick={verdicts.cancelMerge}>
        Cancel merge
      </Button>
    );
  }
  const isBlocked = blockers.length > 0;
  return (
    <Button
      size="verdict"
      hint="Shift M"
      kind={isBlocked ? "waiting" : suggestVerdict(pullRequest, verdicts.count) === "merge" ? "primary" : "default"}
      title={isBlocked ? blockers.join(", ") : undefined}
      disabled={verdicts.busy !== null}
      onClick={verdicts.merge}
    >
      {isBlocked ? `Merge after: ${shorten(blockers)}` : "Merge"}
    </Button>
  );
}

function shorten([first = "", ...more]: readonly string[]): string {
  const text = first.replaceAll("`", "");
  return more.length === 0 ? text : `${text}, ${more.length} more`;
}

const BUSY: Readonly<Record<string, string>> = {
  approve: "Approving …",
  "request-changes": "Requesting changes …",
  comment: "Sending …",
  merge: "Merging …",
};

function Note({
  failure,
  count,
  busy,
  pullRequest: { refusal, mergeRequest },
}: Pick<Props, "pullRequest"> & Pick<Verdicts, "failure" | "count" | "busy">) {
  if (busy !== null) return <span role="status">{BUSY[busy] ?? "Sending …"}</span>;
  if (failure !== null) {
    const { what, fix } = describeFailure(failure);
    return (
      <span className="bad" role="alert">
        {what} {fix}
      </span>
    );
  }
  if (count > 0) {
    return (
      <span className="small ink-3">
        {count} pending {plural(count, "comment")}, sent to the agent with your verdict
      </span>
    );
  }
  if (mergeRequest?.reason != null) return <span className="small you">{mergeRequest.reason}</span>;
  return refusal === null ? null : <span className="small bad">{refusal}</span>;
}

function Reason({ verdict, pullRequest, verdicts }: Props & { readonly verdict: Verdict }) {
  return (
    <Composer
      draft={`verdict.${pullRequest.key}`}
      label={verdict === "request-changes" ? "What should change?" : "Comment"}
      note={describeSending(verdicts.count)}
      canBeEmpty={verdicts.count > 0}
      verb={verdict === "request-changes" ? "Request changes" : "Comment"}
      onSend={(text) => verdicts.giveWith(verdict, text)}
      onLeave={verdicts.leave}
      isFocused
    />
  );
}

function describeSending(pending: number): string {
  return pending === 0
    ? "sent to the agent"
    : `sent to the agent with ${pending} pending ${plural(pending, "comment")}`;
}
